// Give every case to the page's own predict.js; print what it says. Node runs it with the module's
// path and a file of [{model, cases: [[answer of each of the model's questions]]}].

import { readFile } from "node:fs/promises";

const [path, cases] = process.argv.slice(2);
const text = await readFile(path, "utf8");
const { code, predict } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
const said = JSON.parse(await readFile(cases, "utf8")).map(({ model, cases }) =>
  cases.map((answers) => predict(model, answers.map((answer, q) => code(model.questions[q], answer)))));
console.log(JSON.stringify(said));
