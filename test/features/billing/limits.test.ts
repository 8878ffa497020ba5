import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkMessage } from '../../../dev/slack/block-kit/index.ts'
import { toPostedBill } from '../../../src/features/billing/figures.ts'
import { renderBillingPost, renderPrivateBill } from '../../../src/features/billing/view.ts'
import { attribution } from '../../../src/slack/blocks/blocks.ts'
import { appendBlocks } from '../../../src/slack/deliver/answers.ts'
import { LineNames } from '../../../src/telephony/lines.ts'
import { type Billing, toBilling } from '../../../src/telephony/wire.ts'
import { parseDay } from '../../../src/time/days.ts'
import { anyCharacter, forRuns } from '../../support/properties.ts'

const text = fc.oneof(
  fc.constantFrom('', '0', '$0.00', '$12.50', '-£3', '<!channel>', '电'.repeat(300), 'x'.repeat(300)),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
)
const record = fc.record({
  payment_method: text,
  payment_details: text,
  creditlimit: text,
  billingcycle: fc.oneof(text, fc.constant('2026-11-29')),
  plan: fc.record({ name: text, price: text, no_of_agents: text, storage: text, crm: text }),
  addon: fc.record({
    agents: fc.record({ no_of_agents: text, price_per_agent: text, total_agent_price: text }),
    storage: fc.record({ no_of_storage: text, price_per_gb: text, total_storage_price: text }),
    crm: fc.record({ no_of_crm: text, total_storage_price: text }),
    did: fc.array(fc.record({ number: text, country: text, monthly: text }), { maxLength: 200 }),
  }),
  total_monthly: text,
})
const today = parseDay('2026-11-05')!

function messages(billing: Billing, before: Billing) {
  const scheduled = { posted: toPostedBill(billing, today), former: toPostedBill(before, today) }
  const answers = [
    renderPrivateBill({ billing, lines: LineNames.none }, true),
    appendBlocks(renderBillingPost(billing, ['card', 'limit']), [attribution('x'.repeat(300), 'Posted')]),
    appendBlocks(renderBillingPost(billing, [], scheduled), [attribution('Ada', 'Posted')]),
  ]
  return answers.flatMap(({ message, fallbacks = [] }) => [message, ...fallbacks.map((form) => form())])
}

it("renders any bill within Slack's limits, without mentions", () => {
  forRuns(60, record, record, (service, before) => {
    for (const message of messages(toBilling(service), toBilling(before))) {
      expect(checkMessage(message)).toEqual([])
      // A table's cells are literal.
      const blocks = message.blocks?.filter(({ type }) => type !== 'table')
      expect(JSON.stringify({ ...message, blocks })).not.toContain('<!')
    }
  })
})
