import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fileColumns, formatFileName } from '../../../src/features/export/file.ts'
import type { ListQuery } from '../../../src/query/query.ts'
import { LineNames } from '../../../src/telephony/lines.ts'
import type { Call } from '../../../src/telephony/types.ts'
import { parseDay } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { csvChunks, safeCell } from '../../../src/util/csv.ts'
import { parseCsv } from '../../support/shown.ts'

// Texts from people and the service, and texts that a spreadsheet could execute.
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('=', '+', '-', '@', '"', ',', ';', '\r', '\n', '\t', '1', ' ', '\u200b', 'A'))
    .map((all) => all.join('')),
)
const raw = text.map((value) => ({ raw: value }))
const call: fc.Arbitrary<Call> = fc.record({
  id: text,
  direction: fc.constantFrom('incoming', 'outgoing'),
  number: text,
  at: fc.oneof(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }), raw),
  seconds: fc.oneof(fc.nat(), raw),
  status: fc.oneof(fc.constantFrom('answered' as const, 'missed' as const), raw),
  cost: fc.oneof(fc.constantFrom('0', '0.0150', '-0.0150'), raw),
  recording: fc.option(fc.oneof(text, raw), { nil: undefined }),
  answered: fc.option(text, { nil: undefined }),
})
const setting = {
  zone: parseZone('Europe/Berlin')!,
  lines: {
    getName: (number: string) => (number.includes('1') ? `Sales, ${number}` : undefined),
    format: (number: string) => number.replace(/^[+]49/, '+49 '),
  },
  agentNames: new Map([['1', 'Anna, "1"']]),
}

async function* each<T>(values: readonly T[]) {
  yield* values
}

it('can be read back by a strict RFC 4180 parser', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 30 }), async (calls) => {
      const content = Buffer.concat(await Array.fromAsync(csvChunks(fileColumns, each(calls), setting)))
      expect([...content.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
      expect(parseCsv(content.subarray(3).toString())).toEqual([
        fileColumns.map(({ title }) => title),
        ...calls.map((one) =>
          fileColumns.map((column) => safeCell(column.text(one, setting).toWellFormed())),
        ),
      ])
    }),
  )
})

const lines = new LineNames([{ number: '+493023125042', name: 'Sales Berlin' }])
const week = { from: parseDay('2026-11-16'), to: parseDay('2026-11-22') }

it.each<[Partial<ListQuery>, string]>([
  [{ status: 'missed', agentId: 'Anna', ...week }, 'missed-calls-anna-2026-11-16-to-2026-11-22'],
  [{ status: 'missed', direction: 'outgoing' }, 'unanswered-outgoing-calls-until-2026-11-23'],
  [{ status: 'answered', from: week.from, to: week.from }, 'answered-incoming-calls-2026-11-16'],
  [{ direction: 'both', number: '9460042', from: week.from }, 'calls-9460042-2026-11-16-to-2026-11-23'],
  [{ number: '493023125042' }, 'incoming-calls-sales-berlin-until-2026-11-23'],
  [{ agentName: 'Zoë O’Neill / 李' }, 'incoming-calls-zoe-o-neill-李-until-2026-11-23'],
  [{ agentId: '../../etc' }, 'incoming-calls-etc-until-2026-11-23'],
])('of %j is named %s.csv', (changes, name) => {
  const query: ListQuery = { direction: 'incoming', page: 1, ...changes }
  expect(formatFileName(query, setting.zone, new Date('2026-11-23T12:00:00Z'), lines)).toBe(`${name}.csv`)
})

it('has no cell that a spreadsheet would execute, except numbers', () => {
  fc.assert(
    fc.property(text, (value) => {
      const cell = safeCell(value)
      expect(cell.replaceAll("'", '')).toBe(value.replaceAll("'", ''))
      for (const part of cell.replace(/^'[^\S\r\n]*/, "'").split(/[;,|\t\r\n\v\f\u0085\u2028\u2029]/)) {
        if (/^[\s\u200b]*[=+\-@]/.test(part)) expect(part.trim()).toMatch(/^(\+[\d ]+|-\d+(\.\d+)?)$/)
      }
    }),
  )
})

it.each([
  ['+493023125042', "'+493023125042"],
  ['02079460042', "'02079460042"],
  ['442079460042', "'442079460042"],
  ['+49 30 23125042', '+49 30 23125042'],
  ['0', '0'],
  ['0.0150', '0.0150'],
  ['1001', '1001'],
  ['+49 30 2312 5042', '+49 30 2312 5042'],
  ['030 23125042', '030 23125042'],
  ['-0.0150', '-0.0150'],
  ['+1-202-555-0100', "'+1-202-555-0100"],
  ['＝1+1', "'＝1+1"],
  ['\t=1', "'\t=1"],
  ['\u00a0=1', "'\u00a0=1"],
  ['\ufeff=1', "'\ufeff=1"],
  ['x;=1+1', "x;'=1+1"],
  ['x| \u200b+A1', "x|' \u200b+A1"],
  ['x\u2028=1', "x\u2028'=1"],
  ['x, -5', 'x, -5'],
  ['+49 30 1; +49 30 2', '+49 30 1; +49 30 2'],
])('reads %j as %j', (value, cell) => {
  expect(safeCell(value)).toBe(cell)
})
