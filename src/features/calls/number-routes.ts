import type { Services } from '../../services.ts'
import { type ActionRoute, bind, type Interaction, type ShortcutRoute } from '../../slack/routing/routes.ts'
import { numberActions } from './actions.ts'
import type { CallLists } from './call-lists.ts'
import { numbersIn } from './message-numbers.ts'
import { chooseNumberModal, foundModal, noNumberModal, numberQuery } from './number-modal.ts'
import type { ListQuery } from './query.ts'

/** The shortcut in a message's menu, and the modals that it opens. */
export function numberRoutes({
  lists,
  workspaces,
}: Pick<Services, 'workspaces'> & { readonly lists: CallLists }): {
  readonly shortcuts: readonly ShortcutRoute[]
  readonly actions: readonly ActionRoute[]
} {
  const originOf = ({ actor: { team }, channel }: Interaction) => ({ team, channel })
  const retry = { action: numberActions.show.named('retry'), isInModal: true }

  async function find(interaction: Interaction, query: ListQuery, { mayBeKept = false } = {}) {
    const { view } = await lists.load(interaction, query, { mayBeKept, retry })
    return foundModal(view, originOf(interaction))
  }

  return {
    shortcuts: [
      {
        shortcut: 'calls.find-number',
        needs: 'calls',
        async openModal(interaction, message) {
          const { actor, tenant, channel } = interaction
          const { zone } = await workspaces.zone(tenant, channel, actor.person)
          const inMessage = await numbersIn(message, zone)
          const [first, ...others] = inMessage.numbers
          if (!first) return noNumberModal(inMessage, zone, originOf(interaction))
          if (others.length > 0) return chooseNumberModal(inMessage, originOf(interaction))
          return find(interaction, numberQuery(first.digits))
        },
      },
    ],

    actions: bind(numberActions, {
      page: {
        needs: 'calls',
        openModal: (interaction, query) => find(interaction, query, { mayBeKept: true }),
      },
      show: { needs: 'calls', openModal: (interaction, query) => find(interaction, query) },
    }),
  }
}
