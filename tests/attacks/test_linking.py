"""Attacks on the link between an invitation and a report, by the server itself.

The server sees every request and has its whole database, secrets and all. An invited person's
browser has redeemed the invitation for a blind signature and sent the report later, without the
invitation. The best that the server can do is tried, with everything that it saw; what is left out
is when and from where requests came, which is another matter (see the threat model).
"""

import asyncio
import json
import random
import secrets
from functools import cache

import pytest
from support.blinding import EXPONENT, Invited, encode, hash_token
from support.noting_server import Server, by_invitation
from support.web_reports import invite

from confide.reports.wire import TICKET
from confide.web.blind_signatures import SigningKey, load_signing_key

PEOPLE = 40


@pytest.fixture
def server(url):
    found = Server(url, by_invitation())
    yield found
    found.store.close()


def let_report(server, people, chance):
    """Everyone redeems, in a random order, and reports, in another one."""

    async def act(client):
        tickets = {}
        for person in chance.sample(people, len(people)):
            answer = await server.post(client, "/ticket", person.redemption)
            tickets[person.token] = person.ticket(answer.json()["signature"])
        for person in chance.sample(people, len(people)):
            sent = person.report(tickets[person.token])
            assert (await server.post(client, "/report", sent)).status_code == 200

    server.run(act)


def read_evidence(server):
    """What the server has of both sides: who asked for what, and what came with which ticket."""
    asked = [json.loads(each) for each in server.redeemed]
    came = [json.loads(each) for each in server.reported]
    blinded = {each["token"]: int(each["blinded"], 16) for each in asked}
    tickets = {each["id"]: bytes.fromhex(each["ticket"]) for each in came}
    return blinded, tickets


def guess_by_factor(server):
    """Tie a person to the report that a factor explains which the server has met before.

    For any person and any report there is a factor with which the one's message is the other's: the
    server computes it, for it has the key. Where factors are drawn anew each is met once. One that
    explains many pairs gives all of these away.
    """
    n = int(server.key, 16)
    blinded, tickets = read_evidence(server)
    met = {}
    for token, seen in blinded.items():
        for report_id, ticket in tickets.items():
            # the signature to the power of e is the encoded message, whose blinding was seen
            message = pow(int.from_bytes(ticket[32:]), EXPONENT, n)
            met.setdefault(seen * pow(message, -1, n) % n, []).append((token, report_id))
    best = max(met.values(), key=len)
    return dict(best) if len(best) > 1 else {}


def guess_by_key(keys, server):
    """Tie a person to the reports whose tickets verify with the key that this person was given."""
    _, tickets = read_evidence(server)
    found = {}
    for token, key in keys.items():
        for report_id, ticket in tickets.items():
            if key.verify(ticket[:32] + bytes.fromhex(report_id), ticket[32:]):
                found.setdefault(token, report_id)
    return found


def guess_by_shared_bytes(server):
    """Tie a person to the report that shares the longest run of digits with their redemption."""
    blinded, _ = read_evidence(server)
    came = {json.loads(each)["id"]: each.decode() for each in server.reported}

    def shared(token, sent):
        told = token + f"{blinded[token]:0512x}" + signed[token]
        return max(length for length in range(3, 12) if has_common(told, sent, length))

    @cache
    def runs(text, length):
        return {text[i : i + length] for i in range(len(text) - length + 1)}

    def has_common(a, b, length):
        return length == 3 or not runs(a, length).isdisjoint(runs(b, length))

    key = load_signing_key(server.store)
    signed = {t: key.sign_blinded(b.to_bytes(256)).hex() for t, b in blinded.items()}
    return {t: max(came, key=lambda each: shared(t, came[each])) for t in blinded}


def guess_by_order(server):
    """Tie the first who redeemed to the first report, and so on."""
    blinded, tickets = read_evidence(server)
    return dict(zip(blinded, tickets, strict=True))


def guess_by_database(server):
    """Tie invitations to reports by the order in which the database has them."""
    with server.store.transaction():
        reports, noted = server.store._now.reports, server.store._now.redeemed
    hashes = sorted(noted) + [r[0] for r in server.store._rows("SELECT hash FROM redemption")]
    ids = [*server.store._read_archived(), *reports]
    tokens = {hash_token(token): token for token in read_evidence(server)[0]}
    return {tokens[h]: i.hex() for h, i in zip(hashes, ids, strict=True)}


def count_right(people, guess):
    return sum(guess.get(person.token) == person.id for person in people)


GUESSES = (guess_by_factor, guess_by_shared_bytes, guess_by_order, guess_by_database)
MOST = 6
"""Of 40, one person is tied to their report by chance on average, more than 6 in 1 of 10,000 cases.

A guess that is right for one person in four is right for more than 6 in 9 of 10 cases.
"""


@pytest.mark.slow
def test_the_server_guesses_who_sent_which_report_no_better_than_chance(server):
    people = [invite(server.store, server.survey, (i % 2, i // 2 % 2)) for i in range(PEOPLE)]
    let_report(server, people, random.Random(31))
    assert server.store.count() == PEOPLE
    for guess in GUESSES:
        assert count_right(people, guess(server)) <= MOST, guess.__name__


@pytest.mark.slow
def test_of_any_person_and_any_report_the_server_sees_the_same_probability(server):
    """The reason: for each pair there is exactly one factor, drawn like any other."""
    n = int(server.key, 16)
    people = [invite(server.store, server.survey) for _ in range(6)]
    let_report(server, people, random.Random(32))
    blinded, tickets = read_evidence(server)
    key = load_signing_key(server.store)
    for seen in blinded.values():
        for ticket in tickets.values():
            signature = int.from_bytes(ticket[32:])
            factor = (
                int.from_bytes(key.sign_blinded(seen.to_bytes(256))) * pow(signature, -1, n) % n
            )
            assert pow(signature, EXPONENT, n) * pow(factor, EXPONENT, n) % n == seen


@pytest.mark.slow
def test_the_attack_ties_everyone_whose_browser_blinds_with_the_same_factor(server):
    """A twin that is wrong: a client that draws no factor of its own each time."""
    factor = secrets.randbelow(2**2000)
    people = [invite(server.store, server.survey) for _ in range(PEOPLE)]
    people = [Invited(server.survey, server.key, each.token, factor=factor) for each in people]
    let_report(server, people, random.Random(33))
    assert count_right(people, guess_by_factor(server)) == PEOPLE


@pytest.mark.slow
def test_the_attack_ties_everyone_who_was_given_a_key_of_their_own(tmp_path):
    """A twin that is wrong: a server that signs for each person with another key.

    The page's seal is another one then: `test_a_key_of_ones_own_breaks_the_seal`.
    """
    survey, people, keys, reported = by_invitation(), [], {}, []
    for _ in range(8):
        person_key = SigningKey.generate()
        person = Invited(survey, person_key.public, secrets.token_hex(16))
        ticket = person.ticket(person_key.sign_blinded(person.blinded).hex())
        people.append(person)
        keys[person.token] = person_key
        reported.append(person.report(ticket))
    server = Server(f"sqlite:///{tmp_path}/s.db", survey)
    server.reported = random.Random(34).sample(reported, len(reported))
    assert count_right(people, guess_by_key(keys, server)) == len(people)
    server.store.close()


def test_the_message_that_was_signed_is_nowhere_in_what_the_server_keeps(server):
    """Nor is a ticket: an id that is stored admits itself, and no list of tickets is needed."""
    person = invite(server.store, server.survey)
    let_report(server, [person], random.Random(35))
    ticket = json.loads(server.reported[0])["ticket"]
    tables = ("survey", "state", "inbox", "archive", "invitation", "redemption", "secret")
    held = repr([server.store._rows(f"SELECT * FROM {table}") for table in tables])
    inbox = b"".join(server.store._read_inbox())
    for secret in (bytes.fromhex(ticket[:64]), bytes.fromhex(ticket[64:]), person.blinded):
        assert secret not in inbox
        assert repr(secret)[2:40] not in held and secret.hex() not in held


def test_tickets_that_were_not_bought_for_this_report_are_refused(server):
    """Of another survey, of another id, altered, random, none."""
    person, other = (invite(server.store, server.survey) for _ in range(2))
    foreign = SigningKey.generate()
    stranger = Invited(server.survey, foreign.public, "0" * 32)

    async def act(client):
        bought = {}
        for each in (person, other):
            answer = await server.post(client, "/ticket", each.redemption)
            bought[each.id] = each.ticket(answer.json()["signature"])
        good = bought[person.id]
        flipped = [good[:i] + f"{int(good[i], 16) ^ 1:x}" + good[i + 1 :] for i in (0, 63, 64, 575)]
        sent = [
            *(person.report(each) for each in (bought[other.id], *flipped, "0" * 2 * TICKET, "")),
            person.report(secrets.token_hex(TICKET)),
            stranger.report(stranger.ticket(foreign.sign_blinded(stranger.blinded).hex())),
        ]
        answers = [await server.post(client, "/report", each) for each in sent]
        assert {each.status_code for each in answers} == {403}
        reason = {"error": "this invitation is unknown or was used."}
        assert all(each.json() == reason for each in answers)
        assert server.store.count() == 0
        replays = [await server.post(client, "/report", person.report(good)) for _ in range(3)]
        assert [each.status_code for each in replays] == [200] * 3
        altered = Invited(server.survey, server.key, person.token, (0, 1))
        altered.id = person.id
        conflict = await server.post(client, "/report", altered.report(good))
        assert conflict.status_code == 409

    server.run(act)
    assert server.store.count() == 1


def test_a_signature_that_was_bought_cannot_be_turned_into_another(server):
    """Multiplying signatures gives signatures of products, which are no encoded messages."""
    n = int(server.key, 16)
    person, other = (invite(server.store, server.survey) for _ in range(2))

    async def act(client):
        signatures = []
        for each in (person, other):
            answer = await server.post(client, "/ticket", each.redemption)
            signatures.append(int(each.ticket(answer.json()["signature"])[64:], 16))
        product = signatures[0] * signatures[1] % n
        third = Invited(server.survey, server.key, "0" * 32)
        forged = third.message[:32].hex() + f"{product:0512x}"
        for found in (forged, third.message[:32].hex() + f"{pow(signatures[0], 2, n):0512x}"):
            assert (await server.post(client, "/report", third.report(found))).status_code == 403

    server.run(act)
    assert server.store.count() == 0


@pytest.mark.slow
def test_sixty_four_at_once_with_one_invitation_get_one_signature(server):
    token = invite(server.store, server.survey).token
    people = [Invited(server.survey, server.key, token) for _ in range(64)]

    async def act(client):
        asked = [server.post(client, "/ticket", each.redemption) for each in people]
        answers = await asyncio.gather(*asked)
        assert sorted(each.status_code for each in answers) == [200] + [403] * 63
        (winner,) = (i for i, each in enumerate(answers) if each.status_code == 200)
        again = await asyncio.gather(
            *(server.post(client, "/ticket", people[winner].redemption) for _ in range(8))
        )
        assert {each.text for each in again} == {answers[winner].text}
        ticket = people[winner].ticket(answers[winner].json()["signature"])
        sent = people[winner].report(ticket)
        reports = await asyncio.gather(*(server.post(client, "/report", sent) for _ in range(64)))
        assert {each.status_code for each in reports} == {200}

    server.run(act)
    assert (server.store.count(), server.store.count_invitations()) == (1, (1, 0))


def test_the_oracle_encodes_as_the_rfc_does():
    """An encoded message has one bit fewer than the key, and ends as RFC 8017 says."""
    found = encode(b"message", 2047, bytes(48))
    assert len(found) == 256 and found[0] < 0x80 and found[-1] == 0xBC
