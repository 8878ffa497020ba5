import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallQuery } from '../../src/telephony/types.ts'
import { toParameters, toQueryString } from '../../src/telephony/wire.ts'
import { parseDay } from '../../src/time/days.ts'
import { utcOffset } from '../../src/time/zones.ts'

const query: CallQuery = { direction: 'incoming', offset: utcOffset('+05:30'), page: 1 }

test('pages count from 0 for outgoing calls and from 1 for incoming ones', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), (page) => {
      expect(toParameters({ ...query, direction: 'outgoing', page })['page']).toBe(String(page - 1))
      expect(toParameters({ ...query, direction: 'incoming', page })['page']).toBe(String(page))
    }),
  )
})

test.each([0, -1, 1.5, Number.NaN])('there is no page %d', (page) => {
  expect(() => toParameters({ ...query, page })).toThrow(RangeError)
})

test("filters are sent with the service's names, and only if they are set", () => {
  const from = parseDay('2026-11-05')
  const to = parseDay('2026-11-30')
  const parameters = { timezone: '+05:30', from: '05-11-2026', to: '30-11-2026', agentid: '7', page: '1' }
  const filters = { ...query, from, to, agentId: '7' }
  expect(toParameters({ ...filters, status: 'answered' })).toEqual({ ...parameters, status: 'Answered' })
  expect(toParameters({ ...filters, status: 'missed' })).toEqual({ ...parameters, status: 'Not Answered' })
  expect(toQueryString({ key: 'k', ...toParameters(query) })).toBe('key=k&timezone=%2B05%3A30&page=1')
})

test('encodes keys, secrets and values with any characters', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('&', '+', '=', ' ', '%', '#', '?', '/', 'ü', '😀') }),
  )
  fc.assert(
    fc.property(text, text, text, (key, secret, customer) => {
      const { searchParams } = new URL(
        `http://service/?${toQueryString({ key, secret, customer_id: customer })}`,
      )
      expect([...searchParams]).toEqual([
        ['key', key],
        ['secret', secret],
        ['customer_id', customer],
      ])
    }),
  )
})
