import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toAgent, toBilling, toCall, toInvoice } from '../../src/telephony/wire.ts'
import { utcOffset } from '../../src/time/offsets.ts'

const berlin = utcOffset('+01:00')

function expectNothingLost(one: unknown, other: unknown) {
  const fields = ['id', 'Date Time', 'Duration', 'Status', 'Cost', 'Recording', 'DID number', 'Answered']
  const record = Object.fromEntries(fields.map((field, n) => [field, n % 2 ? one : other]))
  const nested = { plan: one, addon: { did: [other], crm: one } }
  for (const given of [one, record, { plan: one, addon: other }, nested]) {
    expect(toCall(given, 'incoming', berlin).direction).toBe('incoming')
    expect(typeof toAgent(given).name).toBe('string')
    expect(typeof toBilling(given).plan.name).toBe('string')
    expect(typeof toInvoice(given).amount).toBe('string')
  }
}

test('no record is lost, whatever it holds', () => {
  // Halves of characters too.
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
  const value = fc.oneof(fc.jsonValue(), fc.string({ unit }))
  fc.assert(fc.property(value, value, expectNothingLost))
})

test('no record is lost, however deep what it holds', () => {
  const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  expectNothingLost(deep, 'flat')
  expectNothingLost('flat', deep)
})

test('a call is in domain terms', () => {
  const record = {
    id: '7',
    'Dialed Number': '+4930901820',
    'DID number': 'not of this direction',
    'Date Time': '2026-11-05 12:13:14 AM',
    Duration: '100:00:01',
    Status: 'ANSWERED',
    Cost: '0.10',
    Recording: 'download_file.php?filename=a%20b.wav&filetype=callrecording',
    Surprise: 'ignored',
  }
  expect(toCall(record, 'outgoing', berlin)).toEqual({
    id: '7',
    direction: 'outgoing',
    number: '+4930901820',
    at: new Date('2026-11-04T23:13:14Z'),
    seconds: 360_001,
    status: 'answered',
    cost: '0.10',
    recording: 'a b.wav',
  })
})

test('billing is in domain terms, each figure under its own name', () => {
  const record = {
    call_route: 'Premium',
    payment_method: 'Visa',
    payment_details: '424242******4242',
    creditlimit: '$500.00',
    billingcycle: '2026-12-15',
    plan: { name: 'Team', price: '$49.00', no_of_agents: '10', storage: '5GB', crm: '1' },
    addon: {
      agents: { no_of_agents: '4', price_per_agent: '$9.50', total_agent_price: '$38.00' },
      storage: { no_of_storage: '20GB', price_per_gb: '$0.50', total_storage_price: '$10.00' },
      crm: { no_of_crm: '2', total_storage_price: '$30.00' },
      did: [{ number: '+4930', country: 'Germany', monthly: '$3.00' }],
    },
    total_monthly: '$130.00',
  }
  expect(toBilling(record)).toEqual({
    callRoute: 'Premium',
    paymentMethod: 'Visa',
    maskedCard: '424242******4242',
    creditLimit: '$500.00',
    nextBillingDay: '2026-12-15',
    plan: { name: 'Team', price: '$49.00', agents: '10', storage: '5GB', crm: '1' },
    addOns: {
      agents: { count: '4', each: '$9.50', total: '$38.00' },
      storage: { size: '20GB', perGb: '$0.50', total: '$10.00' },
      crm: { count: '2', total: '$30.00' },
      numbers: [{ number: '+4930', country: 'Germany', monthly: '$3.00' }],
    },
    totalMonthly: '$130.00',
  })
})

test("an incoming call's `Answered` is kept as it came, be it empty or no text", () => {
  const answered = (Answered?: unknown) => toCall({ Answered }, 'incoming', berlin).answered
  expect([answered('larkfield-1001'), answered(''), answered(1), answered()]).toEqual([
    'larkfield-1001',
    '',
    '1',
    undefined,
  ])
})

test('what is used rather than shown is never cut or lost', () => {
  const long = 'x'.repeat(5000)
  const agent = toAgent({ sip_password: 12_345, webphone: long, sip_login: long })
  expect(agent).toMatchObject({ sipPassword: '12345', webphone: long, sipLogin: long })
  expect(toInvoice({ invoice_url: long }).url).toBe(long)
  const name = `${'Ж'.repeat(400)}.mp3`
  const Recording = `download_file.php?filename=${encodeURIComponent(name)}&filetype=callrecording`
  expect(toCall({ Recording }, 'incoming', berlin).recording).toBe(name)
  expect(toCall({ Recording: long }, 'incoming', berlin).recording).toEqual({ raw: `${'x'.repeat(200)}…` })
})
