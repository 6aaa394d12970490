// Print what the page's own module says of every block of the surveys that a file holds.

const [modules, file] = process.argv.slice(2);
const { readFile } = await import("node:fs/promises");
const { explain, honest } = await import(`${modules}/explaining.js`);
const surveys = JSON.parse(await readFile(file, "utf8"));
const plain = (explained) => ({ ...explained, pictures: explained.pictures.map((pair) => pair.map(Number)) });
const said = surveys.map((survey) => survey.blocks.map((block) => [plain(explain(survey, block)), honest(block, survey)]));
console.log(JSON.stringify(said));
