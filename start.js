// Runs the build if there is one, otherwise the sources.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `Callboard needs Node 24 or later, and this is ${process.version}. Run npm start, which brings its own.\n`,
  )
  process.exit(1)
}
// An import statement would also load the streams of node:fs.
const { existsSync, readdirSync, statSync } = process.getBuiltinModule('node:fs')
const built = new URL('dist/main.mjs', import.meta.url)
const sources = new URL('src/', import.meta.url)
if (existsSync(built) && existsSync(sources)) {
  const builtAt = statSync(built).mtimeMs
  const isNewer = (/** @type {string} */ file) => statSync(new URL(file, sources)).mtimeMs > builtAt
  if (readdirSync(sources, { recursive: true, encoding: 'utf8' }).some(isNewer))
    process.stderr.write('The build is older than the sources: npm run build makes a new one.\n')
}
await import(existsSync(built) ? built.href : './src/main.ts')
