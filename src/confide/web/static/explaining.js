// What happens to your answers, in words and odds, read off the weights that are drawn with. The same,
// in Python: surveys/explanations.py.

import { filled } from "./asking.js";
import { rangeInWords, written } from "./words.js";

const gcd = (a, b) => (b ? gcd(b, a % b) : a);
const added = (numbers) => numbers.reduce((total, number) => total + number);

// How often each report follows each true answer to a question, in whole numbers: big ones, which
// are slow, where ordinary ones are not exact.
export function odds({ branches, questions }, i) {
  const rows = questions[i][0];
  const exact = added(branches) * added(rows[0]) * rows.length <= Number.MAX_SAFE_INTEGER ? Number : BigInt;
  const table = rows.map((row, truth) => row.map((_, report) => added(
    branches.map((weight, b) => exact(weight) * exact(questions[i][b][truth][report])))));
  const common = table.flat().reduce(gcd);
  const reduced = table.map((row) => row.map((weight) => weight / common));
  return { table: reduced, total: added(reduced[0]) };
}

// In how many of how many cases an answer is sent as it is, if for all answers alike.
function sentAsIs({ table, total }) {
  const kept = table[0][0];
  if (table.some((row, truth) => row[truth] !== kept)) return null;
  const common = gcd(kept, total);
  return [kept / common, total / common];
}

// The reports that come from one answer alone, each with that answer.
function certainReports({ table }) {
  return table[0].map((_, report) => [report, table.flatMap((row, truth) => (row[report] ? [truth] : []))])
    .filter(([, truths]) => truths.length === 1).map(([report, [truth]]) => [report, truth]);
}

// Above 0 where a / b is above c / d, 0 where they are equal.
function difference(a, b, c, d) {
  const gap = Number(a) / Number(b) - Number(c) / Number(d);
  return Math.abs(gap) > 1e-9 ? gap : Number(BigInt(a) * BigInt(d) - BigInt(c) * BigInt(b));
}

// Of what tells nothing for certain the report that gives most away, the answer to guess from it, and
// how often that is right if all answers were equally likely. Among equals a "yes" says most.
function surestGuess({ table }, certain) {
  const told = new Set(certain.map(([report]) => report));
  const sums = table[0].map((_, report) => added(table.map((row) => row[report])));
  let best = null;
  table.forEach((row, truth) => row.forEach((right, report) => {
    if (!sums[report] || told.has(report)) return;
    const ahead = best ? difference(right, sums[report], best.right, best.of)
      || (report === 1) - (best.report === 1) || best.report - report : 1;
    if (ahead > 0) best = { report, truth, right, of: sums[report] };
  }));
  return best;
}

function oddsInWords(found, labels, certainty, texts) {
  const kept = sentAsIs(found);
  if (kept && kept[0] === kept[1]) return [texts.clear];
  if (kept) {
    const text = labels.length === 2 ? texts.kept_opposite : texts.kept_another;
    const which = ["NEVER", "WITH_MORE"].includes(certainty) && texts.nobody_tells;
    return [filled(text, { kept: kept[0], total: kept[1], rest: kept[1] - kept[0] }) + (which ? ` ${which}` : "")];
  }
  return [texts.kept_uneven, ...labels.map((answer, truth) => {
    const parts = labels.map((option, report) => ({ option, weight: found.table[truth][report], total: found.total }))
      .filter(({ weight }) => weight).map((part) => filled(texts.sent_as, part));
    return `${filled(texts.if_answer, { answer })} ${parts.join(", ")}.`;
  })];
}

function conclusions(found, labels, certainty, texts) {
  if (certainty === "ALWAYS") return [texts.conclude_always];
  const certain = certainReports(found);
  const said = certain.map(([report, truth]) => filled(texts.conclude_certain, { option: labels[report], guess: labels[truth] }));
  const best = surestGuess(found, certain);
  if (!best) return said;
  const common = gcd(best.right, best.of);
  return [...said, filled(texts.conclude_report, {
    option: labels[best.report], guess: labels[best.truth], right: best.right / common, of: best.of / common,
  })];
}

const inUnits = ({ unit }, number, texts) => `${written(number, texts)} ${unit}`.trim();

function noiseInWords(field, { noise }, certainty, texts) {
  const amount = (number) => inUnits(field, number, texts);
  const ends = { low: amount(field.low), high: amount(field.high) };
  if (certainty === "SOMETIMES") {
    const most = amount(noise.findLastIndex((weight) => weight > 0) * field.step);
    return [texts.noise_bounded, texts.conclude_bounded].map((text) => filled(text, { most, ...ends }));
  }
  let sum = 0;
  const within = noise.map((weight, k) => (sum += k ? 2 * weight : weight));
  const half = within.findIndex((weight) => 2 * weight >= sum);
  const often = Math.ceil(100 * within[half] / sum); // rounded towards less noise
  const values = { amount: amount(half * field.step), often, rest: 100 - often };
  return [filled(texts.noise_endless, values), filled(texts.conclude_noise, ends)];
}

// What is said of one block of questions, and the odds to draw pictures of.
export function explain({ fields, texts }, { questions, weights, certainty }) {
  const asked = questions.map((q) => fields[q]);
  if (asked[0].ranges) {
    const intervals = asked[0].ranges.map((ends) => rangeInWords(ends, texts)).join("; ");
    return { sentences: [filled(texts.interval, { intervals })], pictures: [] };
  }
  if (weights === null) return { sentences: [texts.clear], pictures: [] };
  if (weights.noise) return { sentences: noiseInWords(asked[0], weights, certainty, texts), pictures: [] };
  const found = asked.map((_, i) => odds(weights, i));
  const missing = fields.filter((field) => field.missing === questions[0]);
  const sentences = missing.map((field) => filled(texts.stand_in, { number: inUnits(field, field.stand_in, texts) }));
  found.forEach((each, i) => sentences.push(
    ...oddsInWords(each, asked[i].options, certainty, texts), ...conclusions(each, asked[i].options, certainty, texts)));
  const together = asked.length > 1;
  if (together && certainty !== "ALWAYS") sentences.push(filled(texts.together, { count: asked.length }));
  if (certainty === "WITH_MORE") sentences.push(together ? texts.rules_out_together : texts.rules_out);
  if (certainty === "SOMETIMES" && !found.some((each) => certainReports(each).length)) sentences.push(texts.tells_together);
  const pictures = certainty === "ALWAYS" ? [] : found.map(sentAsIs).filter((kept) => kept)
    .filter((kept, i, all) => all.findIndex((other) => String(other) === String(kept)) === i)
    .sort(([a, b], [c, d]) => Number(a - c) || Number(b - d));
  return { sentences: [...new Set(sentences)], pictures };
}

// Where nobody is said to be ever sure, every report must be able to come from every answer; a missing number's, too.
export function honest({ questions, weights, certainty }, { fields, blocks }) {
  if (certainty !== "NEVER") return true;
  if (blocks.some((each) => fields[each.questions[0]].missing === questions[0] && each.certainty !== "NEVER")) return false;
  if (weights?.noise) return weights.noise[1] > 0;
  return Boolean(weights) && questions.every((_, i) => odds(weights, i).table.flat().every((weight) => weight));
}
