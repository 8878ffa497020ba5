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

const headingsIn = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)

const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

describe('npm scripts', () => {
  it.each(Object.entries(scripts))('%s runs in any shell, cmd.exe too', (_, script) => {
    for (const command of script.split(' && ')) {
      // A program that every platform has, not a variable to set, and nothing that one shell reads otherwise than another.
      expect(command).toMatch(/^(node|npm run|tsc|biome|vitest)( [\w@.,:=/-]+)*$/)
    }
  })

  it('start programs and watch folders that are there', () => {
    const paths = Object.values(scripts).flatMap((script) => script.match(/\b(src|dev)\b[\w./-]*/g) ?? [])
    expect(paths.length).toBeGreaterThan(8)
    expect(paths.filter((path) => !existsSync(path))).toEqual([])
  })

  it('are those that are told to run, and there is no other', () => {
    const told = documents.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/npm (?:run (?:--silent )?)?([\w:]+)/g)].map(
        ([, name]) => name,
      ),
    )
    const npmsOwn = ['ci', 'install', 'run']
    const byOthers = ['typecheck', 'lint', 'heroku-postbuild']
    expect([...new Set(told)].filter((name) => !npmsOwn.includes(name ?? '')).sort()).toEqual(
      Object.keys(scripts)
        .filter((name) => !byOthers.includes(name))
        .sort(),
    )
  })
})

describe('the documents', () => {
  const anchorOf = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-')

  it.each(documents)('%s leads nowhere that is not there', (file) => {
    const text = readFileSync(file, 'utf8')
    const links = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
      .map(([, link, source]) => link ?? source ?? '')
      .filter((link) => !/^(https?|mailto):/.test(link))
    for (const link of links) {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      expect(existsSync(target), link).toBe(true)
      if (anchor === undefined) continue
      const headings = headingsIn(target).map((heading) => anchorOf(heading))
      expect(headings, link).toContain(anchor)
    }
  })

  it("the README's first screen says what it is, and how to see it and to test it", () => {
    const [first = ''] = readFileSync('README.md', 'utf8').split('\n## ')
    expect(first.split('\n\n').slice(0, 2)).toEqual([
      '# Callboard',
      '**Missed calls, agents and phone bills, without leaving Slack.**',
    ])
    for (const command of ['npm install && npm run demo', 'npm install && npm test'])
      expect(first).toContain(`\n\`\`\`\n${command}\n\`\`\`\n`)
    expect(first.split('\n').length).toBeLessThan(50)
  })
})

/** All of `dev` but the scripts, one of which makes the build. */
const developedWith = readdirSync('dev', { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && entry.name !== 'scripts' ? [`dev/${entry.name}`] : [],
)

describe('what is deployed', () => {
  it('a Heroku dyno starts what npm start does', () => {
    expect(linesOf('Procfile')).toEqual(['web: node start.js'])
    expect(scripts['start']).toMatch(/ start\.js$/)
  })

  it('an image and a slug are made without what we develop with', () => {
    const development = ['docs', 'test', ...developedWith]
    expect(linesOf('.dockerignore')).toEqual(
      expect.arrayContaining(['.env*', 'node_modules', 'dist', ...development]),
    )
    expect(linesOf('.slugignore')).toEqual(expect.arrayContaining(development.map((name) => `/${name}`)))
  })

  it('an image is made of what is there, and of nothing that is left out', () => {
    const copied = linesOf('Dockerfile')
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1))
    expect(copied).toContain('src')
    expect(copied.filter((path) => !existsSync(path) || linesOf('.dockerignore').includes(path))).toEqual([])
  })
})
