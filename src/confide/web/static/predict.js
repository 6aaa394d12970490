// What a published model says about someone's answers: all of it. Nothing here sends, stores or
// shows anything. A model is what /model.json holds; Python says the same.

const TINY = 1e-300; // what was never seen is not impossible

// An answer as the model's code: an option's number; for a number how many of the question's edges
// are not above it.
export function code(question, answer) {
  return question.options ? answer : question.edges.filter((edge) => edge <= answer).length;
}

// How each kind of model predicts, under the key that holds it in the file.
const PREDICTORS = { tree: byTree, bayes: byBayes };

// The number of the predicted class as `label`, and every class's chance.
export function predict(model, codes) {
  const kind = Object.keys(PREDICTORS).find((name) => name in model);
  return PREDICTORS[kind](model[kind], codes);
}

function byTree(nodes, codes) {
  let node = nodes[0];
  while (node.child) node = nodes[node.child[codes[node.question]]];
  return node;
}

function byBayes({ prior, likelihood, hidden }, codes) {
  const raw = hidden ? byHidden(hidden, codes)
    : likely(prior, (c) => codes.map((value, q) => likelihood[q][c][value]));
  const sum = raw.reduce((total, chance) => total + chance, 0);
  const chances = raw.map((chance) => chance / sum);
  const told = chances.map((chance) => Math.round(chance * 1e12)); // the first of equals, whatever the rounding
  return { label: told.indexOf(Math.max(...told)), chances };
}

// Each class's share within each hidden class, weighed by how well that explains the answers.
function byHidden({ weights, classes, tables }, codes) {
  const explained = likely(weights, (z) => codes.map((value, q) => tables[q][z][value]));
  return classes[0].map((_, c) => explained.reduce((sum, chance, z) => sum + chance * classes[z][c], 0));
}

// Each start times its factors, in proportion to the largest. Logarithms: many small factors.
function likely(starts, factors) {
  const logs = starts.map((start, i) =>
    factors(i).reduce((sum, factor) => sum + Math.log(Math.max(factor, TINY)), Math.log(Math.max(start, TINY))));
  const largest = Math.max(...logs);
  return logs.map((log) => Math.exp(log - largest));
}
