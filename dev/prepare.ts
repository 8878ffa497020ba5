import { enableCompileCache, findPackageJSON } from 'node:module'
import { join } from 'node:path'

// The first import of every program in dev, so that the others are evaluated later. See src/main.ts.
process.env['TZ'] = 'UTC'
const project = findPackageJSON(import.meta.url)
enableCompileCache(project && join(project, '../node_modules/.cache/compile'))
