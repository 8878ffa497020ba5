import { createHash } from 'node:crypto'
import type { types } from '@slack/bolt'
import { z } from 'zod'
import {
  attribution,
  type Block,
  button,
  escapeText,
  header,
  LIMITS,
  type Message,
  plain,
  section,
} from '../../slack/blocks/blocks.ts'
import { readValue } from '../../slack/blocks/values.ts'
import { billingTotals } from '../../telephony/billing-totals.ts'
import type { Billing } from '../../telephony/types.ts'
import { dayLabel } from '../../time/days.ts'
import { fact, fields } from './facts.ts'

/** What is left out of a channel unless somebody ticks it. */
const extras = ['card', 'limit'] as const
export type Extra = (typeof extras)[number]

/** Rides in the preview's buttons. */
export interface PostPlan {
  readonly channel: string
  /** Claimed once, so that a double click posts once. */
  readonly nonce: string
  readonly include: readonly Extra[]
}

const plan = z.strictObject({
  channel: z.string().regex(/^[A-Z0-9]{2,40}$/),
  nonce: z.string().regex(/^[\w-]{8,40}$/),
  include: z.array(z.enum(extras)).max(2),
})
const planWithDigest = plan.extend({ digest: z.string() })

/** @throws {ForgedValueError} */
export const readPlanWithDigest = (value: string | undefined) => readValue(planWithDigest, value, 'a post')

const blockPrefix = 'billing.include|'
/** The ticks' block carries the rest of the plan. @throws {ForgedValueError} */
export const readTicked = (blockId: string, ticked: readonly string[]): PostPlan => ({
  ...readValue(plan, blockId.startsWith(blockPrefix) ? blockId.slice(blockPrefix.length) : '', 'a post'),
  include: extras.filter((extra) => ticked.includes(extra)),
})

/** What a channel is shown, without who posted it. Pure. */
export function postMessage(
  billing: Billing,
  include: readonly Extra[],
): Message & { readonly blocks: Block[] } {
  const { addOns, nextBillingDay } = billing
  const next = typeof nextBillingDay === 'string' ? dayLabel(nextBillingDay) : nextBillingDay.raw
  const { numbers } = billingTotals(billing)
  const facts = [
    fact('Plan', `${billing.plan.name}, ${billing.plan.price}`),
    fact('Monthly total', billing.totalMonthly),
    fact('Next billing date', next),
    fact('Extra agents', addOns.agents.total),
    fact('Extra storage', addOns.storage.total),
    fact('Extra CRM', addOns.crm.total),
    ...(numbers === undefined ? [] : [fact('Numbers', numbers)]),
    ...(include.includes('card')
      ? [fact('Payment method', `${billing.paymentMethod} ${billing.maskedCard}`)]
      : []),
    ...(include.includes('limit') ? [fact('Credit limit', billing.creditLimit)] : []),
  ]
  return {
    text: escapeText(`Billing: ${billing.plan.name}, ${billing.totalMonthly} a month, next on ${next}.`),
    blocks: [header('Telephony billing'), fields(facts)],
  }
}

/** Tells whether what is posted still is what was previewed. */
export const digestOf = (message: Message): string =>
  createHash('sha256').update(JSON.stringify(message)).digest('hex').slice(0, 16)

const tick = (text: string, value: Extra): types.PlainTextOption => ({
  text: plain(text, LIMITS.optionText),
  value,
})
const ticks = [tick('Add the payment method and masked card', 'card'), tick('Add the credit limit', 'limit')]

/** Exactly what would be posted, with Post and Cancel. Pure. */
export function previewMessage(billing: Billing, given: PostPlan, user: string, note?: string): Message {
  const post = postMessage(billing, given.include)
  const value = JSON.stringify({ ...given, digest: digestOf(post) })
  const chosen = ticks.filter(({ value: own }) => given.include.some((extra) => extra === own))
  return {
    text: `Preview of what would be posted to <#${given.channel}>. ${post.text}`,
    blocks: [
      section(
        `${note === undefined ? '' : `${note}\n`}*Preview.* Everyone in <#${given.channel}> would see this:`,
      ),
      { type: 'divider' },
      ...post.blocks,
      attribution(user, 'Posted'),
      { type: 'divider' },
      {
        type: 'actions',
        block_id: `${blockPrefix}${JSON.stringify(given)}`,
        elements: [
          {
            type: 'checkboxes',
            action_id: 'billing.post.include',
            options: ticks,
            ...(chosen.length > 0 ? { initial_options: chosen } : {}),
          },
        ],
      },
      {
        type: 'actions',
        elements: [
          button('billing.post.send', 'Post', value, 'primary'),
          button('billing.post.cancel', 'Cancel', 'cancel'),
        ],
      },
    ],
  }
}
