import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

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

  it('are those that the README tells to run', () => {
    const told = [...readFileSync('README.md', 'utf8').matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name)
    expect(told.length).toBeGreaterThan(8)
    expect(told.filter((name) => name === undefined || !(name in scripts))).toEqual([])
  })
})

describe('what is deployed', () => {
  it('a Heroku dyno starts what npm start does', () => {
    expect(linesOf('Procfile')).toEqual(['web: node src/main.ts'])
    expect(scripts['start']).toMatch(/ src\/main\.ts$/)
  })

  it('an image and a slug are made without what we develop with', () => {
    const development = ['dev', 'docs', 'test']
    expect(linesOf('.dockerignore')).toEqual(
      expect.arrayContaining(['.env*', 'node_modules', ...development]),
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
