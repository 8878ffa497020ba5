import { type StateValues, stateKey } from './actions/elements.ts'
import type { Exchange } from './actions/exchange.ts'
import type { Team } from './directory.ts'
import type { Ids } from './ids.ts'
import type { Json, ViewBody } from './shapes.ts'
import type { View } from './surfaces.ts'

export class OpenView {
  current: View
  /** The person's input, by block_id and action_id. */
  readonly entered = new Map<string, Json>()
  /** Exchange that last updated the view. */
  exchange: Exchange | undefined

  constructor(current: View, exchange: Exchange | undefined) {
    this.current = current
    this.exchange = exchange
  }

  /** Stores the input. An update keeps the values of elements with the same block_id and action_id. */
  enter(state: StateValues): void {
    for (const [blockId, byAction] of Object.entries(state)) {
      for (const [actionId, value] of Object.entries(byAction))
        this.entered.set(stateKey(blockId, actionId), value)
    }
  }
}

export class Views {
  readonly #open = new Map<string, OpenView>()
  readonly #ids: Ids

  constructor(ids: Ids) {
    this.#ids = ids
  }

  open(body: ViewBody, opener: Pick<View, 'team' | 'user'> & Pick<OpenView, 'exchange'>): View {
    const { team, user, exchange } = opener
    const view = this.#toView(body, { id: `V${this.#ids.nextViewId()}`, team, user })
    this.#open.set(view.id, new OpenView(view, exchange))
    return view
  }

  update(open: OpenView, body: ViewBody): View {
    const { id, team, user } = open.current
    open.current = this.#toView(body, { id, team, user })
    return open.current
  }

  get(id: string): OpenView | undefined {
    return this.#open.get(id)
  }

  mustGet({ id }: View): OpenView {
    const open = this.#open.get(id)
    if (open === undefined) throw new Error('that view is closed')
    return open
  }

  home(team: Team, user: string): OpenView | undefined {
    return this.all().find(
      ({ current }) => current.type === 'home' && current.team === team && current.user === user,
    )
  }

  close(id: string): void {
    this.#open.delete(id)
  }

  all(): readonly OpenView[] {
    return [...this.#open.values()]
  }

  #toView(body: ViewBody, identity: Pick<View, 'id' | 'team' | 'user'>): View {
    const blocks = this.#ids.fillIn(body.blocks)
    return { ...body, blocks, hash: this.#ids.nextViewId(), ...identity }
  }
}
