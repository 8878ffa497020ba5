import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallQuery } from '../../src/telephony/types.ts'
import { callsRequest, invoicesRequest, toQueryString, toServiceDay } from '../../src/telephony/wire.ts'
import { parseDay } from '../../src/time/days.ts'
import { utcOffset } from '../../src/time/zones.ts'

const query: CallQuery = { direction: 'incoming', offset: utcOffset('+05:30'), page: 1 }

test('pages count from 0 for outgoing calls and from 1 for incoming ones', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), (page) => {
      expect(callsRequest({ ...query, direction: 'outgoing', page }).parameters['page']).toBe(
        String(page - 1),
      )
      expect(callsRequest({ ...query, direction: 'incoming', page }).parameters['page']).toBe(String(page))
    }),
  )
})

test.each([0, -1, 1.5, Number.NaN])('there is no page %d', (page) => {
  expect(() => callsRequest({ ...query, page })).toThrow(RangeError)
})

test("filters are sent with the service's names, and only if they are set", () => {
  const from = parseDay('2026-11-05')
  const to = parseDay('2026-11-30')
  const parameters = { timezone: '+05:30', from: '05-11-2026', to: '30-11-2026', agentid: '7', page: '1' }
  expect(callsRequest({ ...query, from, to, status: 'answered', agentId: '7' }).parameters).toEqual({
    ...parameters,
    status: 'Answered',
  })
  expect(callsRequest({ ...query, from, to, status: 'missed', agentId: '7' }).parameters).toEqual({
    ...parameters,
    status: 'Not Answered',
  })
  const search = new URLSearchParams(toQueryString({ key: 'k', secret: 's' }, callsRequest(query)))
  expect(Object.fromEntries(search)).toEqual({ key: 'k', secret: 's', timezone: '+05:30', page: '1' })
})

test('days start with the day of the month', () => {
  expect(toServiceDay(parseDay('2026-11-05')!)).toBe('05-11-2026')
})

test('encodes keys, secrets and values with any characters', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('&', '+', '=', ' ', '%', '#', '?', '/', 'ü', '😀') }),
  )
  fc.assert(
    fc.property(text, text, text, (key, secret, customer) => {
      const { searchParams } = new URL(
        `http://service/?${toQueryString({ key, secret }, invoicesRequest(customer))}`,
      )
      expect([...searchParams]).toEqual([
        ['key', key],
        ['secret', secret],
        ['customer_id', customer],
      ])
    }),
  )
})
