import type { types } from '@slack/bolt'
import type { Services } from '../../services.ts'
import { actionRow, type Block, context, escapeText, section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/inputs.ts'
import { callLinks } from '../../slack/blocks/links.ts'
import type { Interaction, ShortcutRoute } from '../../slack/routing/routes.ts'
import type { Zone } from '../../time/types.ts'
import { callsActions } from './actions.ts'
import type { CallLists } from './call-lists.ts'
import { type MessageNumbers, numbersIn } from './message-numbers.ts'
import type { ListQuery } from './query.ts'

// The message shortcut, and what its modal shows where there is no list to show at once.

const numberModal = ({ actor: { team }, channel }: Interaction, blocks: readonly Block[]): types.ModalView =>
  modal({
    id: 'calls.number',
    origin: { team, channel },
    title: 'Find calls by number',
    close: 'Close',
    blocks: [...blocks],
  })

/** What the search for a number begins with. */
const numberQuery = (digits: string): ListQuery => ({ direction: 'both', number: digits, page: 1 })

const mostButtons = 10

/** Which of the numbers in the message is meant. */
function chooseNumber({ numbers }: MessageNumbers): Block[] {
  const buttons = numbers
    .slice(0, mostButtons)
    .map(({ digits, text }, index) =>
      callsActions.show.named(String(index)).button(text, numberQuery(digits)),
    )
  const more = numbers.length > mostButtons ? ` Here are the first ${mostButtons}.` : ''
  const question = `There are ${numbers.length} phone numbers in this message. Which one?${more}`
  return [section(question), ...actionRow(buttons)]
}

const regions = new Intl.DisplayNames('en', { type: 'region' })

/** For a message without a number: how its digits were read, and a form instead. */
function noNumber({ country }: MessageNumbers, zone: Zone): Block[] {
  const reading =
    country === undefined
      ? `Add a country code (+44 …): this channel uses ${zone}.`
      : `Numbers without a country code are read as numbers in ${regions.of(country) ?? country}: this channel uses ${zone}.`
  return [
    section("There's no phone number in this message."),
    context(escapeText(reading)),
    ...actionRow([callLinks.find.button('Find calls…')]),
  ]
}

/** The shortcut in a message's menu. */
export const findNumber = ({ workspaces }: Services, { list }: CallLists): ShortcutRoute => ({
  shortcut: 'calls.find-number',
  needs: 'calls',
  async openModal(interaction, message) {
    const { actor, tenant, channel } = interaction
    const { zone } = await workspaces.zone(tenant, channel, actor.person)
    // Slack doesn't say which app the shortcut is of.
    const { user, bot_id, app_id } = message
    const isOwn = [user, bot_id, app_id].some((id) => actor.installation.ids.includes(id ?? ''))
    const inMessage = await numbersIn(message, zone, isOwn)
    const [first, ...others] = inMessage.numbers
    if (!first) return numberModal(interaction, noNumber(inMessage, zone))
    if (others.length > 0) return numberModal(interaction, chooseNumber(inMessage))
    return list(interaction, numberQuery(first.digits))
  },
})
