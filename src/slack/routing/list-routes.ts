import type { Answer } from '../answers/answer.ts'
import type { SharedPage, Sharing } from '../answers/sharing.ts'
import { readMenuBlockId } from '../blocks/list-buttons.ts'
import type { ActionRoute, Interaction } from './routes.ts'

/** The menu for the rest of a list, and the button that shares the page that its message shows. */
export function menuAndShareRoutes<Query>(
  sharing: Sharing,
  options: {
    readonly needs: ActionRoute['needs']
    /** The menu's action id; the id of its block carries the query. */
    readonly menu: string
    /** The button's action id; its value is the query. */
    readonly share: string
    /** @throws {ForgedValueError} */
    readonly read: (value: string | undefined) => Query
    readonly list: (interaction: Interaction, query: Query) => Promise<Answer>
    /** What everyone in the channel sees. */
    readonly shared: (interaction: Interaction, query: Query) => Promise<SharedPage>
  },
): readonly ActionRoute[] {
  const { needs, menu, share, read, list, shared } = options
  return [
    {
      action: menu,
      needs,
      handle: (interaction, { block_id }) => list(interaction, read(readMenuBlockId(menu, block_id))),
    },
    {
      action: share,
      needs,
      handle: (interaction, { value }) => sharing.share(interaction, () => shared(interaction, read(value))),
    },
  ]
}
