"""Links for people: as pictures, and listed for reminders without telling who answered."""

import csv
import hashlib
import re
import secrets

import pytest
from support.machine import program as find_program
from support.web_surveys import small

from confide.errors import ConfideError
from confide.reports.invitation_store import Redemption
from confide.reports.store import open_store
from confide.web.invitations import invite, list_reminders


@pytest.fixture
def store(new_url):
    """An empty survey by invitation, in each kind of database."""
    survey = small(invitation=True)
    store = open_store(new_url, survey.design, by_invitation=True)
    yield store
    store.close()


def redeem(store, links):
    for link in links:
        token = bytes.fromhex(link[-32:])
        store.redeem([Redemption(hashlib.sha256(token).digest(), secrets.token_bytes(32))])


@pytest.fixture
def invited(store, tmp_path):
    """Thirty people with their links, in a file that names them."""
    links = invite(store, 30, "https://survey.example/#", tmp_path / "links.csv")
    path = tmp_path / "people.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(
            [["name", "link"], *zip(map(str, range(30)), links, strict=True)]
        )
    return path, links


def test_while_few_have_answered_everyone_is_reminded(store, invited):
    """A list that left out the three who answered would name them."""
    path, links = invited
    before = list_reminders(store, path)
    redeem(store, links[:3])
    assert list_reminders(store, path) == before
    hashes = [hashlib.sha256(bytes.fromhex(link[-32:])).digest() for link in links]
    assert len(store.find_unused(hashes)) == 27  # which a list of the unused alone would tell
    assert before[0] == ["name", "link"] and len(before) == 31


def test_a_file_without_links_is_refused_in_one_line(store, tmp_path):
    path = tmp_path / "people.csv"
    for text in ("", "name\nAnn\n", "link\nhttps://survey.example/\n"):
        path.write_text(text)
        with pytest.raises(ConfideError, match=r"people\.csv"):
            list_reminders(store, path)
    with pytest.raises(ConfideError, match="cannot read"):
        list_reminders(store, tmp_path / "none.csv")


def test_cards_have_each_link_as_a_picture_and_in_letters():
    from confide.web.invitation_cards import write_cards
    from confide.web.qr_codes import draw_for_print

    links = [f"https://survey.example/s/a/#{'ab' * 32}.{i:032x}" for i in range(9)]
    survey = small(invitation=True, organiser="<the council>", language="de")
    written = write_cards(survey, links)
    cards = written.split("<article>")[1:]
    assert len(cards) == 9 and 'lang="de"' in written
    for link, card in zip(links, cards, strict=True):
        assert card.count(link) == 1 and draw_for_print(link) in card
        assert "&lt;the council&gt;" in card and "Es gilt einmal." in card
    assert len({card.split("</svg>")[0] for card in cards}) == 9
    assert "default-src 'none'" in written and "src=" not in written


def test_pictures_of_links_are_for_their_owner_alone(tmp_path):
    pytest.importorskip("segno")
    from confide.web.qr_codes import draw_for_page, write_pictures

    folder = tmp_path / "pictures"
    write_pictures(["https://a.example/#1", "https://a.example/#2"], folder)
    assert [path.name for path in sorted(folder.iterdir())] == ["1.png", "2.png"]
    assert all(path.stat().st_mode & 0o077 == 0 for path in (folder, *folder.iterdir()))
    assert (folder / "1.png").read_bytes()[:4] == b"\x89PNG"
    with pytest.raises(ConfideError, match="cannot write"):
        write_pictures(["x"], folder)
    assert "https://a.example" in draw_for_page("https://a.example/")


def test_the_address_of_the_survey_is_a_picture_behind_the_login(admin):
    client = admin(small())
    assert '<img src="/admin/address.svg"' in client.get("/admin").text
    drawn = client.get("/admin/address.svg")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert str(client.base_url) in drawn.text
    cookie = client.headers.pop("Cookie")
    assert client.get("/admin/address.svg").status_code == 401
    client.headers["Cookie"] = cookie


@pytest.mark.slow
def test_eight_cards_stand_on_a_sheet_that_only_its_owner_reads(tmp_path):
    from confide.web.invitation_cards import write_cards
    from confide.web.pdf import write_printable

    find_program("chromium", "chromium")
    links = [f"https://survey.example/s/a/#{'ab' * 32}.{i:032x}" for i in range(17)]
    survey = small(invitation=True, organiser="the council of all students of this place")
    for name in ("cards.pdf", "cards.html"):
        write_printable(write_cards(survey, links), tmp_path / name, private=True)
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    printed = (tmp_path / "cards.pdf").read_bytes()
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 3
