import { readFileSync } from 'node:fs'
import { z } from 'zod'

const buildSchema = z.object({ commit: z.string() })

/** Returns the commit that `build.json` names, if this is a build, for the log. */
export function readBuild():
  | { readonly build: 'dist'; readonly commit: string }
  | { readonly build: 'sources' } {
  try {
    const text = readFileSync(new URL('build.json', import.meta.url), 'utf8')
    return { build: 'dist', ...buildSchema.parse(JSON.parse(text)) }
  } catch {
    return { build: 'sources' }
  }
}
