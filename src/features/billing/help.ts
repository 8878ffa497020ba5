import type { types } from '@slack/bolt'
import { ACTIONS } from '../../slack/blocks/action-ids.ts'
import {
  type Block,
  button,
  context,
  escapeText,
  header,
  type Message,
  section,
} from '../../slack/blocks/blocks.ts'
import { commandButton } from '../../slack/blocks/command-button.ts'
import type { Word } from '../../slack/routing/command-words.ts'

/** What somebody may do with billing. */
export interface HelpSetting {
  readonly mayBill: boolean
  readonly isAdmin: boolean
  /** Whether the operator switched the invoice operation on. */
  readonly hasInvoices: boolean
}

/** What there is, with the button that does it. */
function example(words: string, accessory: types.Button): Block {
  return { type: 'section', text: { type: 'mrkdwn', text: words }, accessory }
}

const ofBilling = [
  example(
    '`/billing` Plan, items, total and next billing date',
    commandButton('show', 'Show billing', '/billing'),
  ),
  example(
    '`/billing post #finance` A preview, and then a post that everyone in the channel sees',
    button(ACTIONS.postChannel, 'Post to a channel…', 'post'),
  ),
  example(
    '`/billing schedule` A post on each billing date, each month or each week',
    button(ACTIONS.scheduleNew, 'Schedule posts…', 'new'),
  ),
  example(
    '`/billing schedules` What is scheduled: edit, pause or delete it',
    commandButton('schedules', 'Scheduled posts', '/billing schedules'),
  ),
]

const ofAdministrators = [
  example(
    '`/billing settings` Who can see calls, recordings, agents and billing, and who the administrators are',
    button(ACTIONS.settings, 'Access…', 'settings'),
  ),
  example('`/billing audit` Who did what', commandButton('audit', 'Audit log', '/billing audit')),
]

const invoices =
  '`/billing invoices CUSTOMER-ID` deletes a customer at the phone service and returns their invoices. You confirm it first.'
const nothing = "You don't have access to billing here. An administrator can give it to you."

/** `/billing help`. Pure. @param unknown the words that led here */
export function helpMessage(
  { mayBill, isAdmin, hasInvoices }: HelpSetting,
  unknown?: readonly Word[],
): Message {
  const wrong = unknown?.map(({ written }) => `"${written}"`).join(', ')
  const text = escapeText(wrong === undefined ? 'Billing: what you can do' : `I don't recognise ${wrong}.`)
  return {
    text,
    blocks: [
      wrong === undefined ? header('Billing') : section(text),
      ...(mayBill ? ofBilling : [section(nothing)]),
      ...(isAdmin ? ofAdministrators : []),
      ...(isAdmin && hasInvoices ? [context(invoices)] : []),
    ],
  }
}
