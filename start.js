// Runs what `npm run build` made where it stands, and the sources where it doesn't.
import { existsSync } from 'node:fs'

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `Callboard needs Node 24 or later, and this is ${process.version}: npm start brings its own.\n`,
  )
  process.exit(1)
}
const built = new URL('dist/main.mjs', import.meta.url)
await import(existsSync(built) ? built.href : './src/main.ts')
