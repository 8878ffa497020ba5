import { describe, expect, it } from 'vitest'
import { billingTotals } from '../../../src/features/billing/totals.ts'
import { toBilling } from '../../../src/telephony/wire.ts'

describe('totals of a bill', () => {
  const billing = toBilling({
    plan: { price: '$49.00' },
    addon: {
      agents: { total_agent_price: '$38.00' },
      storage: { total_storage_price: '$10.50' },
      crm: { total_storage_price: '$15.00' },
      did: [{ monthly: '$3.00' }, { monthly: '$4.25' }],
    },
    total_monthly: '$119.75',
  })

  it('adds the plan, each add-on and each number', () => {
    expect(billingTotals(billing)).toEqual({
      sum: '$119.75',
      difference: { kind: 'none' },
      numbers: '$7.25',
    })
    expect(billingTotals({ ...billing, addOns: { ...billing.addOns, numbers: [] } })).toMatchObject({
      sum: '$112.50',
      difference: { kind: 'more', amount: '$7.25' },
      numbers: '0.00',
    })
  })

  it.each([
    ['$120.00', { kind: 'more', amount: '$0.25' }],
    ['$119.00', { kind: 'less', amount: '$0.75' }],
    ['£119.75', undefined],
    ['on request', undefined],
  ])('a total of %s differs by %o', (totalMonthly, difference) => {
    expect(billingTotals({ ...billing, totalMonthly })).toMatchObject({ sum: '$119.75', difference })
  })

  it('returns no sum of unreadable amounts', () => {
    const unread = { ...billing, plan: { ...billing.plan, price: 'free' } }
    expect(billingTotals(unread)).toEqual({ sum: undefined, difference: undefined, numbers: '$7.25' })
    const [first] = billing.addOns.numbers
    const numbers = [{ ...first!, monthly: '?' }]
    expect(billingTotals({ ...billing, addOns: { ...billing.addOns, numbers } })).toEqual({
      sum: undefined,
      difference: undefined,
      numbers: undefined,
    })
  })
})
