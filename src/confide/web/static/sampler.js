// How your answers are disguised: all of it. Nothing here sends, stores or shows anything.
//
// 1. draw: random integers are drawn, before any answer is looked at.
// 2. disguise: each report is looked up from your answer, the integers and the survey's weights.
//
// The weights of a block of questions that share one draw: `branches` says how likely each branch
// is; `questions[i][branch][truth][report]` how likely each report is, given the true answer.
// For a number with noise: `noise[k]` says how likely k steps up are, and k steps down.
// The same steps, in Python: sampler.py. The same results: vectors/.

const WORDS = 2 ** 32;

// The browser's secure source of 32-bit words, without end.
export function* secureWords() {
  for (;;) yield crypto.getRandomValues(new Uint32Array(1))[0];
}

// One of 0 … bound − 1, each exactly equally likely: words from the last whole multiple of the
// bound on are thrown away. Running out of words is an error, never a default.
export function below(bound, words) {
  const limit = WORDS - (WORDS % bound);
  for (;;) {
    const { value: word, done } = words.next();
    if (done) throw new RangeError("there are not enough random words");
    if (!Number.isInteger(word) || word < 0 || word >= WORDS) {
      throw new RangeError("a random word must be a whole number below 2^32");
    }
    if (word < limit) return word % bound;
  }
}

// What every block needs: an integer for the branch, then one for each of its questions.
// A block in the clear (null) needs nothing.
export function draw(blocks, words) {
  return blocks.map((weights) => {
    if (weights === null) return [];
    if (weights.noise) return [below(sum(both(weights.noise)), words)];
    const first = below(sum(weights.branches), words);
    return [first, ...weights.questions.map((table) => below(sum(table[0][0]), words))];
  });
}

// The reports of one block's true codes.
export function disguise(weights, drawn, truths) {
  if (weights === null) return [...truths];
  if (weights.noise) return [noisy(weights, drawn[0], truths[0])];
  const tables = weights.questions;
  if (truths.length !== tables.length || drawn.length !== tables.length + 1) {
    throw new RangeError("a block needs one draw and one code for each of its questions");
  }
  const branch = cell(weights.branches, drawn[0]);
  return tables.map((table, i) => {
    const row = table[branch][truths[i]];
    if (row === undefined) throw new RangeError("a code lies outside its question's options");
    return cell(row, drawn[i + 1]);
  });
}

// Your number's step plus noise. Reports have `beyond` more steps at each end; none lies further.
function noisy({ noise, points, beyond }, place, truth) {
  if (!(truth >= 0 && truth < points)) throw new RangeError("a number lies outside its range");
  const steps = cell(both(noise), place) - (noise.length - 1);
  return Math.min(Math.max(truth + steps + beyond, 0), points - 1 + 2 * beyond);
}

const both = (noise) => [...noise.slice(1).reverse(), ...noise];
const sum = (row) => row.reduce((total, weight) => total + weight, 0);

// The cell that holds a place when the weights are laid end to end; all are looked at.
function cell(row, place) {
  let found = -1;
  let end = 0;
  row.forEach((weight, index) => {
    const start = end;
    end += weight;
    if (start <= place && place < end) found = index;
  });
  if (found < 0) throw new RangeError("a draw lies outside its weights");
  return found;
}
