// Reports in words: a table of questions and what is told of each.

export function told(fields, codes) {
  return fields.map((field, q) => {
    const row = document.createElement("tr");
    for (const [kind, text] of [["th", field.text], ["td", inWords(field, codes[q])]]) {
      const cell = document.createElement(kind);
      if (kind === "th") cell.scope = "row";
      cell.dir = "auto";
      cell.textContent = text;
      row.append(cell);
    }
    const tag = document.createElement("div");
    tag.className = "tag";
    tag.textContent = field.tag;
    row.lastChild.append(tag);
    return row;
  });
}

function inWords(field, code) {
  if (field.options) return field.options[code];
  if (field.edges) return `${field.edges[code]} – ${field.edges[code + 1]}`;
  return String(Number((field.low + (code - field.beyond) * field.step).toFixed(6)));
}
