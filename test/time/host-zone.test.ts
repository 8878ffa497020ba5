import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

// Prints results around the host's clock changes, with TZ set like in main.ts.
const SCRIPT = `
  const host = Intl.DateTimeFormat().resolvedOptions().timeZone
  process.env.TZ = 'UTC'
  const [zones, { parseZone }, { parseRange }, { dayLabel }] = await Promise.all(
    ['zones', 'zone-names', 'ranges', 'days'].map((name) => import(process.argv[1] + '/' + name + '.ts')),
  )
  const { offsetAt, localDateTime, startOfDay, localDay, toInstant, toUtcOffset } = zones
  const answers = []
  for (const name of ['Europe/Berlin', 'America/Santiago', 'Pacific/Apia', '+05:30', 'UTC']) {
    const zone = parseZone(name)
    for (let time = Date.UTC(2026, 2, 1); time < Date.UTC(2026, 11, 1); time += 21 * 3_599_000) {
      const at = new Date(time)
      const day = localDay(zone, at)
      const range = parseRange('last month', day)
      answers.push([offsetAt(zone, at), localDateTime(zone, at), startOfDay(zone, day), range, dayLabel(day)])
    }
  }
  answers.push(toInstant('2026-09-06T00:30:00', toUtcOffset(-240)), startOfDay(parseZone('Pacific/Apia'), '2011-12-30'))
  console.log(JSON.stringify([host, answers]))
`

async function answersUnder(TZ: string): Promise<readonly [string, unknown]> {
  const folder = new URL('../../src/time', import.meta.url).href
  const args = ['--input-type=module', '-e', SCRIPT, folder]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, TZ, NODE_OPTIONS: '' },
    maxBuffer: 10_000_000,
  })
  return JSON.parse(stdout)
}

it('returns the same results in every time zone of the host', async () => {
  const hosts = ['UTC', 'America/Santiago', 'Pacific/Apia']
  const answers = await Promise.all(hosts.map(answersUnder))
  expect(answers.map(([host]) => host)).toEqual(hosts)
  expect(answers[1]![1]).toEqual(answers[0]![1])
  expect(answers[2]![1]).toEqual(answers[0]![1])
})
