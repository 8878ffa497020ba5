import type { types } from '@slack/bolt'
import { joinWords, notUnderstoodText, type Word } from '../../grammar/words.ts'
import { type Block, context, header, type Message, section, sectionWith } from '../../slack/blocks/blocks.ts'
import { commandButton, problemMessage } from '../../slack/blocks/command-button.ts'
import { settingsAction } from '../../slack/blocks/links.ts'
import { nearestWord } from '../../util/text.ts'
import { chooseChannel } from './actions.ts'

const example = (command: string, about: string, accessory: types.Button): Block =>
  sectionWith(`\`${command}\` – ${about}`, accessory)

const billingExamples = [
  example(
    '/billing',
    'see the total, the next billing date and what you pay for',
    commandButton('show', 'Show billing', '/billing'),
  ),
  example(
    '/billing post #finance',
    "post the bill in a channel; you'll see a preview before anything is posted",
    chooseChannel,
  ),
  example(
    '/billing schedule',
    'post it on each billing date, each month or each week',
    commandButton('schedules', 'Scheduled posts', '/billing schedule'),
  ),
]

const adminExamples = [
  example(
    '/callboard access',
    'choose who can see calls, recordings, agents and billing, and who the administrators are',
    settingsAction.button('Change access…'),
  ),
  example(
    '/callboard audit',
    'see who changed what',
    commandButton('audit', 'Show audit log', '/callboard audit'),
  ),
]

const deletionText =
  '`/billing delete-customer CUSTOMER-ID` deletes a customer at the phone service and returns their invoices. You confirm it first.'
const noAccessText = "You don't have access to billing here. Ask an administrator for access."

const billingSubcommands = ['post', 'schedule', 'schedules', 'settings', 'audit', 'invoices', 'help']

function unknownCommandMessage(words: readonly Word[]): Message {
  const [first, ...others] = words
  const nearest = first && first.key === undefined ? nearestWord(first.value, billingSubcommands) : undefined
  const command = nearest && ['/billing', nearest, ...others.map(({ written }) => written)].join(' ')
  return problemMessage(notUnderstoodText(joinWords(words)), { command, buttons: [] })
}

/** @param unknown words that aren't a command */
export function billingHelpMessage(
  permissions: { canBill: boolean; isAdmin: boolean; canDeleteCustomers: boolean },
  unknown: readonly Word[],
): Message {
  const { canBill, isAdmin, canDeleteCustomers } = permissions
  const { text, blocks = [] } =
    unknown.length > 0
      ? unknownCommandMessage(unknown)
      : { text: 'Billing: what you can do.', blocks: [header('Billing')] }
  return {
    text,
    blocks: [
      ...blocks,
      ...(canBill ? billingExamples : [section(noAccessText)]),
      ...(isAdmin ? adminExamples : []),
      ...(isAdmin && canDeleteCustomers ? [context(deletionText)] : []),
    ],
  }
}
