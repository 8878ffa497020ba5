import { readFileSync } from 'node:fs'
import { z } from 'zod'

const built = z.object({ commit: z.string() })

/** What runs, for the log: the build of a commit, which `build.json` beside it names, or the sources. */
export function readBuild():
  | { readonly build: 'dist'; readonly commit: string }
  | { readonly build: 'sources' } {
  try {
    const text = readFileSync(new URL('build.json', import.meta.url), 'utf8')
    return { build: 'dist', ...built.parse(JSON.parse(text)) }
  } catch {
    return { build: 'sources' }
  }
}
