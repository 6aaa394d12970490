"""What the tests in a real browser share."""

import json

# Every word and byte of chance in the page comes from here, repeatably.
FIXED = """(words) => {
  let next = 0;
  crypto.getRandomValues = (array) => {
    if (array instanceof Uint32Array) {
      for (let i = 0; i < array.length; i++) array[i] = words[next++ % words.length];
    } else {
      for (let i = 0; i < array.length; i++) array[i] = i;
    }
    return array;
  };
}"""


# Nothing on the page takes longer than this: the pause before a report by invitation neither.
_SHORT = """(() => {
  const wait = window.setTimeout.bind(window);
  window.setTimeout = (act, time, ...more) => wait(act, Math.min(time, 30), ...more);
})()"""


def hurry(page):
    """Shorten the page's pauses."""
    page.add_init_script(_SHORT)


def record_requests(page, requests):
    """Record every request but that of the tab's icon, which browsers make when they like."""
    page.on("request", lambda r: r.url.endswith("/icon.svg") or requests.append(r))


def begin(page, address, words=None):
    """Open a survey and start, with the given words of chance."""
    if words is not None:
        page.add_init_script(f"({FIXED})({json.dumps(words)})")
    page.goto(address)
    if page.locator("#consent").count():
        page.check("#consent")
    page.click("#start")


def press_next(page):
    """Go on by the keyboard."""
    page.focus("#next")
    page.keyboard.press("Enter")


def find_asked(page):
    """The numbers of the questions on the sheet that is shown."""
    shown = "[...document.querySelectorAll('.sheet:not([hidden]) [data-question]')]"
    return page.evaluate(f"{shown}.map((each) => Number(each.dataset.question))")


def answer_question(page, field, position, answer):
    """Answer one question by the keyboard alone: arrows, letters and digits."""
    if not field.finite:
        page.fill(f"#q{position}", "")
        page.focus(f"#q{position}")
        page.keyboard.type(str(answer))
    elif page.locator(f"select#q{position}").count():
        page.focus(f"#q{position}")
        page.keyboard.type(field.question.labels[answer])
    else:
        page.focus(f"input[name=q{position}]")
        page.keyboard.press("Space")
        for _ in range(answer):
            page.keyboard.press("ArrowDown")


def answered(page, survey, answers):
    """Answer by the keyboard alone, sheet by sheet; stays on the last, or where it is held up."""
    while asked := find_asked(page):
        for position in asked:
            if answers[position] is not None:
                answer_question(
                    page, survey.questionnaire.fields[position], position, answers[position]
                )
        if page.locator(".sheet").last.is_visible():
            return
        press_next(page)
        if find_asked(page) == asked:
            return


def lock_answers(page):
    """Lock the answers in by the keyboard; returns the bytes that the page shows."""
    page.focus("#next, #lock")
    page.keyboard.press("Enter")
    page.wait_for_selector("#review:not([hidden])")
    return page.text_content("#bytes")


def find_violations(page, axe):
    """Find what axe-core holds against the page, and against its colours in the dark."""
    page.evaluate(axe)
    page.emulate_media(color_scheme="light")
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    page.emulate_media(color_scheme="dark")
    found += page.evaluate("axe.run(document, {runOnly: ['color-contrast']})")["violations"]
    return [(v["id"], [node["html"] for node in v["nodes"]]) for v in found]
