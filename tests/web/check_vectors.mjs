// Give every vector to the page's own modules; print how many were tried and which differ.
// Node runs it with the folders as arguments; the browser imports `check`.

export async function check(sampler, report, draws, reports, bodies) {
  const wrong = [];
  const attempt = (make) => { try { return make(); } catch { return null; } };
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const expect = (vector, got) => { if (!same(vector.at(-1), got)) wrong.push(vector); };
  for (const vector of draws.vectors) {
    const [bound, words] = vector;
    expect(vector, attempt(() => sampler.below(bound, words.values())));
  }
  for (const vector of reports.vectors) {
    const [design, own, answers, words] = vector;
    const survey = reports.designs[design].script;
    expect(vector, attempt(() => {
      const drawn = sampler.draw(survey.blocks.map((block) => block.weights), words.values());
      return report.reports(survey, drawn, own, answers);
    }));
  }
  for (const vector of bodies.vectors) {
    const [design, receipt, ticket, own, codes] = vector;
    const survey = bodies.designs[design].script;
    expect(vector, report.body(survey, await report.receiptId(receipt), own, codes, ticket));
  }
  const tried = draws.vectors.length + reports.vectors.length + bodies.vectors.length;
  return { tried, wrong };
}

if (typeof process !== "undefined" && process.argv.length > 3) {
  const [modules, vectors] = process.argv.slice(2);
  const { readFile } = await import("node:fs/promises");
  const read = async (name) => JSON.parse(await readFile(`${vectors}/${name}.json`, "utf8"));
  const load = async (name) => {
    const text = await readFile(`${modules}/${name}.js`, "utf8");
    const linked = text.replace("./sampler.js", loaded.sampler ?? "");
    loaded[name] = `data:text/javascript,${encodeURIComponent(linked)}`;
    return import(loaded[name]);
  };
  const loaded = {};
  const sampler = await load("sampler");
  const report = await load("report");
  const files = [await read("draws"), await read("reports"), await read("bodies")];
  console.log(JSON.stringify(await check(sampler, report, ...files)));
}
