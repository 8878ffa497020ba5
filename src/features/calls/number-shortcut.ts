import type { types } from '@slack/bolt'
import type { Services } from '../../services.ts'
import { actionRow, type Block, context, escapeText, section } from '../../slack/blocks/blocks.ts'
import { modal } from '../../slack/blocks/inputs.ts'
import { callLinks } from '../../slack/blocks/links.ts'
import { bind, type Interaction, type Routes } from '../../slack/routing/routes.ts'
import type { Zone } from '../../time/types.ts'
import { numberActions } from './actions.ts'
import type { CallLists } from './call-lists.ts'
import { type MessageNumbers, numbersIn } from './message-numbers.ts'
import type { ListQuery } from './query.ts'
import { callsInModal } from './view.ts'

// The message shortcut, and what its modal shows.

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
      numberActions.show.named(String(index)).button(text, numberQuery(digits)),
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
      : `Numbers without a country code are read as numbers of ${regions.of(country) ?? country}: this channel uses ${zone}.`
  return [
    section("There's no phone number in this message."),
    context(escapeText(reading)),
    ...actionRow([callLinks.find.button('Find calls…')]),
  ]
}

/** The shortcut in a message's menu, and the modals that it opens. */
export function numberRoutes(
  { workspaces }: Services,
  lists: CallLists,
): Pick<Routes, 'shortcuts' | 'actions'> {
  const retryInModal = numberActions.show.named('retry')

  async function find(interaction: Interaction, query: ListQuery, { allowCached = false } = {}) {
    const { view } = await lists.load(interaction, query, { allowCached, retryInModal })
    return numberModal(interaction, callsInModal(view, numberActions))
  }

  return {
    shortcuts: [
      {
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
          return find(interaction, numberQuery(first.digits))
        },
      },
    ],

    actions: bind(numberActions, {
      page: {
        needs: 'calls',
        openModal: (interaction, query) => find(interaction, query, { allowCached: true }),
      },
      show: { needs: 'calls', openModal: (interaction, query) => find(interaction, query) },
    }),
  }
}
