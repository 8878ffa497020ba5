// Runs what `npm run build` made where it stands, and the sources where it doesn't.
import { existsSync } from 'node:fs'

const built = new URL('dist/main.mjs', import.meta.url)
await import(existsSync(built) ? built.href : './src/main.ts')
