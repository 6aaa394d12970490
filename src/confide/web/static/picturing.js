// What happens to your answers, as cards with pictures: the words come from explaining.js.

import { explain } from "./explaining.js";

export function made(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export const paragraphs = (sentences) => sentences.map((textContent) => made("p", { textContent }));

const inPictures = ({ pictures, sentences }, texts) => [
  ...pictures.map(([kept, total]) => made("p", {}, ...picture(Number(kept), Number(total), texts))), ...paragraphs(sentences)];

// What happens to the answers of one block.
export const protection = (survey, block) => inPictures(explain(survey, block), survey.texts);

// The same of all blocks, as cards; those to which the same happens share one.
export function cards(survey) {
  const found = [];
  for (const block of [...survey.blocks].sort((one, other) => one.questions[0] - other.questions[0])) {
    const asked = block.questions.map((q) => survey.fields[q].text);
    const explained = explain(survey, block);
    const same = found.find((card) => asked.length === 1 && card.alone && card.sentences.join() === explained.sentences.join());
    if (same) same.asked.push(...asked); else found.push({ asked, alone: asked.length === 1, ...explained });
  }
  return found.map((card) => made("div", { className: "card" },
    made("ul", { className: "asked" }, ...card.asked.map((textContent) => made("li", { dir: "auto", textContent }))),
    ...inPictures(card, survey.texts)));
}

const SVG = "http://www.w3.org/2000/svg";

function shape(tag, attributes, ...children) {
  const drawn = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) drawn.setAttribute(name, value);
  drawn.append(...children);
  return drawn;
}

// A circle for each case in which the answer is sent as it is, else a square; the drawn one is framed.
function row(kept, total, drawn) {
  const shapes = Array.from({ length: total }, (_, i) => (i < kept
    ? shape("circle", { class: "kept", cx: i * 24 + 12, cy: 12, r: 7 })
    : shape("rect", { class: "rest", x: i * 24 + 6, y: 6, width: 12, height: 12 })));
  const frame = drawn === undefined ? [] : [shape("rect", { class: "drawn", x: drawn * 24 + 1, y: 1, width: 22, height: 22, rx: 3 })];
  return { class: "odds", viewBox: `0 0 ${total * 24} 24`, shapes: [...shapes, ...frame] };
}

// Too many cases for shapes: a bar, with a line where the draw fell.
function bar(kept, total, drawn) {
  const shapes = [shape("rect", { class: "kept", width: kept, height: 1 }), shape("rect", { class: "rest", x: kept, width: total - kept, height: 1 })];
  const line = drawn === undefined ? [] : [shape("rect", { class: "mark", x: drawn, width: total / 100, height: 1 })];
  return { class: "odds wide", viewBox: `0 0 ${total} 1`, preserveAspectRatio: "none", shapes: [...shapes, ...line] };
}

// The odds as a picture, with its key.
export function picture(kept, total, { legend_kept: asIs, legend_rest: disguised }, drawn) {
  const { shapes, ...attributes } = total <= 24 ? row(kept, total, drawn) : bar(kept, total, drawn);
  const label = `${asIs}: ${kept}/${total}, ${disguised}: ${total - kept}/${total}`;
  const named = (className, sign, meaning) => made("span", {}, made("b", { className, textContent: sign }), ` ${meaning}`);
  const key = made("span", { className: "key" }, named("kept", "●", asIs), " ", named("rest", "■", disguised));
  key.setAttribute("aria-hidden", "true");
  return [shape("svg", { ...attributes, role: "img", "aria-label": label }, ...shapes), key];
}
