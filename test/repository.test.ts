import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

const documents = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

const readHeadings = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)

const readLines = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

describe('npm scripts', () => {
  it.each(Object.entries(scripts))('%s runs in any shell, including cmd.exe', (_, script) => {
    for (const command of script.split(' && ')) {
      // Only programs of every platform, no variables, and no syntax that depends on the shell.
      expect(command).toMatch(/^(node|npm run|tsc|biome|vitest)( [\w@.,:=/-]+)*$/)
    }
  })

  it('are exactly the documented ones', () => {
    const documented = documents.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/npm (?:run (?:--silent )?)?([\w:]+)/g)].map(
        ([, name]) => name,
      ),
    )
    const npmCommands = ['ci', 'install', 'run']
    const undocumented = ['typecheck', 'lint', 'heroku-postbuild']
    expect([...new Set(documented)].filter((name) => !npmCommands.includes(name ?? '')).sort()).toEqual(
      Object.keys(scripts)
        .filter((name) => !undocumented.includes(name))
        .sort(),
    )
  })
})

/** Returns the links that lead to files or headings of this repository. */
function findLinks(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)
  const links = [...found].map(([, link, source]) => link ?? source ?? '')
  return links.filter((link) => !/^(https?|mailto):/.test(link))
}

describe('the documents', () => {
  const toAnchor = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-')

  it.each(documents.filter((file) => findLinks(file).length > 0))('%s has no broken links', (file) => {
    for (const link of findLinks(file)) {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      expect(existsSync(target), link).toBe(true)
      if (anchor === undefined) continue
      const headings = readHeadings(target).map((heading) => toAnchor(heading))
      expect(headings, link).toContain(anchor)
    }
  })

  it('name only existing source files', () => {
    const files = ['src', 'dev', 'test'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `/${join(folder, name)}/`),
    )
    const named = documents.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/`((?:src|dev|test|features)\/[\w./-]+|[\w/-]+\.tsx?)`/g)].map(
        ([, path = '']) => path,
      ),
    )
    expect(named.length).toBeGreaterThan(60)
    expect(
      named.filter((path) => !files.some((file) => file.includes(`/${path.replace(/\/$/, '')}/`))),
    ).toEqual([])
  })
})

/** Folders of `dev` that deployments don't need: all except the scripts, which contain the build. */
const developmentFolders = readdirSync('dev', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && entry.name !== 'scripts' ? [`dev/${entry.name}`] : [],
)

describe('deployment', () => {
  it('starts a Heroku dyno like npm start', () => {
    expect(readLines('Procfile')).toEqual(['web: node start.js'])
    expect(scripts['start']).toMatch(/ start\.js$/)
  })

  it('leaves development folders out of the image and the slug', () => {
    const development = ['docs', 'test', ...developmentFolders]
    expect(readLines('.dockerignore')).toEqual(
      expect.arrayContaining(['.env*', 'node_modules', 'dist', ...development]),
    )
    expect(readLines('.slugignore')).toEqual(expect.arrayContaining(development.map((name) => `/${name}`)))
  })
})
