import type { types } from '@slack/bolt'
import { notUnderstoodText } from '../../grammar/sentences.ts'
import { joinWords, type Word } from '../../grammar/words.ts'
import { type Block, context, header, type Message, section, sectionWith } from '../../slack/blocks/blocks.ts'
import { commandButton, problemMessage } from '../../slack/blocks/command-button.ts'
import { settingsAction } from '../../slack/blocks/links.ts'
import { nearestWord } from '../../util/text.ts'
import { chooseChannel } from './actions.ts'

interface HelpSetting {
  readonly mayBill: boolean
  readonly isAdmin: boolean
  /** Whether the operator switched the invoice operation on. */
  readonly hasInvoices: boolean
}

const example = (command: string, about: string, accessory: types.Button): Block =>
  sectionWith(`\`${command}\` – ${about}`, accessory)

const ofBilling = [
  example(
    '/billing',
    'the total, the next billing date and what you pay for',
    commandButton('show', 'Show billing', '/billing'),
  ),
  example(
    '/billing post #finance',
    'a preview, then a post that everyone in the channel sees',
    chooseChannel,
  ),
  example(
    '/billing schedule',
    'posts on each billing date, each month or each week: plan, edit, pause or delete them',
    commandButton('schedules', 'Scheduled posts', '/billing schedule'),
  ),
]

const ofAdministrators = [
  example(
    '/callboard access',
    'who can see calls, recordings, agents and billing, and who the administrators are',
    settingsAction.button('Change access…'),
  ),
  example(
    '/callboard audit',
    'who changed what',
    commandButton('audit', 'Show audit log', '/callboard audit'),
  ),
]

const deleteCustomer =
  '`/billing delete-customer CUSTOMER-ID` deletes a customer at the phone service and returns their invoices. You confirm it first.'
const nothing = "You don't have access to billing here. Ask an administrator for access."

const subcommands = ['post', 'schedule', 'schedules', 'settings', 'audit', 'invoices', 'help']

/** With the command that was probably meant, and the words that follow as they are. */
function problem(unknown: readonly Word[]): Message {
  const [first, ...others] = unknown
  const nearest = first && first.key === undefined ? nearestWord(first.value, subcommands) : undefined
  const command = nearest && ['/billing', nearest, ...others.map(({ written }) => written)].join(' ')
  return problemMessage(notUnderstoodText(joinWords(unknown)), { command, buttons: [] })
}

/** `/billing help`. Pure. @param unknown the words that led here */
export function helpMessage(
  { mayBill, isAdmin, hasInvoices }: HelpSetting,
  unknown?: readonly Word[],
): Message {
  const { text, blocks = [] } = unknown
    ? problem(unknown)
    : { text: 'Billing: what you can do.', blocks: [header('Billing')] }
  return {
    text,
    blocks: [
      ...blocks,
      ...(mayBill ? ofBilling : [section(nothing)]),
      ...(isAdmin ? ofAdministrators : []),
      ...(isAdmin && hasInvoices ? [context(deleteCustomer)] : []),
    ],
  }
}
