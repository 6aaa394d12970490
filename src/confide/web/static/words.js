// Numbers and reports as people write and read them.

// A number with the page's own marks; short ones, such as years, are not broken up.
export function written(number, { decimal_mark: point, group_mark: group }) {
  const digits = Number.isInteger(number) ? 21 : 12;
  const plain = number.toLocaleString("en-US", { useGrouping: false, maximumSignificantDigits: digits });
  const [whole, rest] = plain.split(".");
  const grouped = /\d{5}/.test(whole) ? whole.replace(/\B(?=(\d{3})+$)/g, group) : whole;
  return rest ? grouped + point + rest : grouped;
}

// The number that someone wrote, or NaN. "1,5" can be no thousands, so it is 1.5.
export function numberIn(text, { decimal_mark: point, group_mark: group }) {
  const signs = [...text.replace(/[\s'’\p{Cf}]/gu, "").replace("−", "-").replace(/[٠-٩۰-۹]/g, (each) => each.charCodeAt() & 15)];
  const english = signs.map((sign) => ((point + "٫").includes(sign) ? "." : (group + "٬").includes(sign) ? "," : sign)).join("");
  if (/^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(english)) return Number(english.replaceAll(",", ""));
  const plain = english.replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : NaN;
}

// So many steps above a number, without what floating point adds to it.
export function stepsAbove(low, steps, step) {
  const decimals = Math.max(0, -Math.floor(Math.log10(step))) + 6;
  return Number((low + steps * step).toFixed(Math.min(decimals, 100)));
}

export const rangeInWords = (ends, texts) => [...new Set(ends)].map((end) => written(end, texts)).join(" – ");

export function told(fields, codes, texts) {
  return fields.map((field, q) => {
    const row = document.createElement("tr");
    for (const [kind, text] of [["th", field.text], ["td", inWords(field, codes[q], texts)]]) {
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

function inWords(field, code, texts) {
  if (field.options) return field.options[code];
  if (field.ranges) return rangeInWords(field.ranges[code], texts);
  return written(stepsAbove(field.low, code - field.beyond, field.step), texts);
}
