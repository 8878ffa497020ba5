import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/sandbox/app.ts'
import { serveSandbox } from '../../src/sandbox/serve.ts'
import { createTelephonyClient } from '../../src/telephony/client.ts'
import { ServiceUnavailableError } from '../../src/telephony/errors.ts'
import { createSlots } from '../../src/telephony/slots.ts'
import { parseRetryAfter } from '../../src/telephony/transport.ts'
import {
  parseDateTime,
  parseDuration,
  toAgent,
  toBilling,
  toCall,
  toInvoice,
} from '../../src/telephony/wire.ts'
import { toUtcOffset, utcOffset } from '../../src/time/wall-clock.ts'

const berlin = utcOffset('+01:00')

describe('wire values', () => {
  it('read every instant back from its 12-hour text in every offset', () => {
    const seconds = fc.integer({ min: Date.UTC(2000, 0) / 1000, max: Date.UTC(2100, 0) / 1000 })
    fc.assert(
      fc.property(seconds, fc.integer({ min: -48, max: 56 }), (at, quarters) => {
        const local = new Date((at + quarters * 900) * 1000).toISOString()
        const hour = Number(local.slice(11, 13))
        const text = `${local.slice(0, 10)} ${String(hour % 12 || 12).padStart(2, '0')}${local.slice(13, 19)} ${hour < 12 ? 'AM' : 'PM'}`
        expect(parseDateTime(text, toUtcOffset(quarters * 15))).toEqual(new Date(at * 1000))
      }),
    )
  })

  it.each([
    '2026-02-30 01:00:00 AM',
    '2026-01-01 00:00:00 AM',
    '2026-01-01 13:00:00 PM',
    '2026-01-01 01:00:00',
    '',
  ])('keep %j as it came', (text) => {
    expect(parseDateTime(text, berlin)).toEqual({ raw: text })
  })

  it('never lose a record, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
        const record = {
          id: value,
          'Date Time': other,
          Duration: value,
          Status: other,
          Cost: value,
          Recording: other,
        }
        for (const given of [
          value,
          record,
          { plan: value, addon: other },
          { addon: { did: [value], crm: other } },
        ]) {
          expect(toCall(given, 'incoming', berlin).direction).toBe('incoming')
          expect(typeof toAgent(given).name).toBe('string')
          expect(typeof toBilling(given).plan.name).toBe('string')
          expect(typeof toInvoice(given).amount).toBe('string')
        }
      }),
    )
  })

  it('are exact, and cut where they are not understood', () => {
    const call = toCall(
      { Cost: '0.10', Status: 'ANSWERED', Duration: '100:00:01', Recording: 'x'.repeat(5000) },
      'outgoing',
      berlin,
    )
    expect(call).toMatchObject({ cost: '0.10', status: 'answered', seconds: 360_001, number: '' })
    expect(JSON.stringify(call.recording).length).toBeLessThan(220)
    const path = 'download_file.php?filename=a%20b.wav&filetype=callrecording'
    expect(toCall({ Recording: path }, 'incoming', berlin).recording).toBe('a b.wav')
    expect(parseDuration('00:60:00')).toEqual({ raw: '00:60:00' })
    expect(parseRetryAfter('3600', 0)).toBe(3_600_000)
    expect(parseRetryAfter(new Date(5000).toUTCString(), 0)).toBe(5000)
  })
})

describe('the client', () => {
  it('keeps to its promises against the sandbox', async () => {
    const sandbox = createSandbox({ calls: 120 })
    const served = await serveSandbox(sandbox)
    const telephony = createTelephonyClient({ baseUrl: served.baseUrl, timeoutMs: 3000 })
    const { key, secret } = sandbox.accounts.quiet
    const account = { tenant: 'T', credentials: { key, secret } }
    const query = { direction: 'incoming', offset: berlin, page: 1 } as const
    try {
      // A secret full of reserved characters goes through; identical reads under way are one request.
      const [one, two] = await Promise.all([telephony.calls(account, query), telephony.calls(account, query)])
      expect(one).toEqual(two)
      expect(one.total).toBe(3)
      expect(sandbox.requests.count()).toBe(1)

      sandbox.requests.clear()
      sandbox.faults.next({ kind: 'status', status: 500 }, { times: 2 })
      await telephony.calls(account, query)
      expect(sandbox.requests.count()).toBe(3)

      // The invoice operation is sent once, whatever happens, and an error of it holds no secret.
      sandbox.requests.clear()
      sandbox.faults.next({ kind: 'cut-connection' })
      const error: unknown = await telephony.invoices(account, 'C-4201').catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ServiceUnavailableError)
      expect(inspect(error, { depth: 10 })).not.toContain(key)
      expect(sandbox.requests.count()).toBe(1)

      const lively = { tenant: 'L', credentials: sandbox.accounts.lively }
      let seen = 0
      for await (const page of telephony.callPages(lively, { ...query, direction: 'outgoing' }))
        seen += page.calls.length
      expect(seen).toBe(sandbox.accounts.lively.calls('outgoing').length)
      expect((await telephony.billing(lively)).plan.name).not.toBe('')
    } finally {
      await served.close()
      await telephony.close()
    }
  })

  it('runs four requests of a tenant at a time and keeps nothing of an idle one', async () => {
    const slots = createSlots(4)
    let running = 0
    let most = 0
    const work = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
    }
    const all = Array.from({ length: 12 }, () => slots.run('T', work))
    expect(slots.idle('T')).toBe(0)
    expect(slots.idle('other')).toBe(4)
    await Promise.all(all)
    expect(most).toBe(4)
    await Promise.all(Array.from({ length: 100 }, (_, n) => slots.run(`T${n}`, work)))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(slots.size).toBe(0)
  })
})
