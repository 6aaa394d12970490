"""What the tests in a real browser share."""

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


def lock_answers(page):
    """Lock the answers in by the keyboard; returns the bytes that the page shows."""
    page.focus("#lock")
    page.keyboard.press("Enter")
    page.wait_for_selector("#review:not([hidden])")
    return page.text_content("#bytes")


def find_violations(page, axe):
    """Find what axe-core holds against the page."""
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [(v["id"], [node["html"] for node in v["nodes"]]) for v in found]
