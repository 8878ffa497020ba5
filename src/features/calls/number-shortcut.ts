import type { types } from '@slack/bolt'
import type { Services } from '../../services.ts'
import { actionRow, type Block, section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/inputs.ts'
import { callLinks } from '../../slack/blocks/links.ts'
import type { Interaction, ShortcutRoute } from '../../slack/routing/routes.ts'
import { callsActions } from './actions.ts'
import type { CallLists } from './call-lists.ts'
import { type MessageNumbers, numbersIn } from './message-numbers.ts'
import type { ListQuery } from './query.ts'

const numberModal = ({ actor: { team }, channel }: Interaction, blocks: readonly Block[]): types.ModalView =>
  modal({
    id: 'calls.number',
    origin: { team, channel },
    title: 'Find calls by number',
    close: 'Close',
    blocks: [...blocks],
  })

const numberQuery = (digits: string): ListQuery => ({ direction: 'both', number: digits, page: 1 })

const MAX_BUTTONS = 10

/** Asks which of the numbers in the message is meant. */
function chooseNumber({ numbers }: MessageNumbers): Block[] {
  const buttons = numbers
    .slice(0, MAX_BUTTONS)
    .map(({ digits, text }, index) =>
      callsActions.show.named(String(index)).button(text, numberQuery(digits)),
    )
  const question =
    numbers.length > MAX_BUTTONS
      ? `This message has more than ${MAX_BUTTONS} phone numbers. Which one? Here are the first ${MAX_BUTTONS}.`
      : `There are ${numbers.length} phone numbers in this message. Which one?`
  return [section(question), ...actionRow(buttons)]
}

function noNumber({ callingCode }: MessageNumbers): Block[] {
  const hint =
    callingCode === undefined
      ? 'Add a country code, such as +44.'
      : `Without a country code I assume +${callingCode}.`
  return [
    section(`I couldn't find a phone number here. ${hint}`),
    ...actionRow([callLinks.find.button('Find calls…')]),
  ]
}

/** Message shortcut: searches the phone numbers of a message. */
export const findNumber = ({ workspaces }: Services, lists: CallLists): ShortcutRoute => ({
  shortcut: 'calls.find-number',
  needs: 'calls',
  async openModal(interaction, message) {
    const { actor, tenant, channel } = interaction
    const { zone } = await workspaces.zone(tenant, channel, actor.person)
    // Slack doesn't say whether the message is the app's own.
    const { user, bot_id, app_id } = message
    const isOwn = [user, bot_id, app_id].some((id) => actor.installation.ids.includes(id ?? ''))
    const inMessage = await numbersIn(message, zone, isOwn)
    const [first, ...others] = inMessage.numbers
    if (!first) return numberModal(interaction, noNumber(inMessage))
    if (others.length > 0) return numberModal(interaction, chooseNumber(inMessage))
    return lists.list(interaction, numberQuery(first.digits))
  },
})
