import type { Pages } from '../../util/paging.ts'
import type { ButtonAction } from './actions.ts'
import type { Block } from './blocks.ts'

export type LinkedPages = Pick<Pages, 'page' | 'last' | 'next'>

interface PageStep {
  readonly name: string
  readonly label: string
  readonly page: number
}

/** Returns where the buttons of this page lead, from left to right. */
export function listPageSteps({ page, last, next }: LinkedPages): readonly PageStep[] {
  const steps: PageStep[] = []
  if (page > 1) {
    steps.push({ name: 'first', label: 'First', page: 1 })
    // A page beyond the last one leads back to the last one.
    steps.push({ name: 'previous', label: 'Previous', page: Math.min(page - 1, last ?? page) })
  }
  if (next !== undefined) {
    steps.push({ name: 'next', label: 'Next', page: next })
    // With two pages, the last one is the next one.
    if (last !== undefined && last > 2) steps.push({ name: 'last', label: 'Last', page: last })
  }
  return steps
}

export function pagingRow<Value>(
  options: LinkedPages & {
    /** Prefix of the buttons' ids, such as `calls.page.`. */
    readonly action: ButtonAction<Value>
    readonly valueFor: (page: number) => Value
    /** New for every replacement of a message. */
    readonly nonce: string
  },
): Block[] {
  const { action, valueFor, nonce } = options
  const steps = listPageSteps(options)
  if (steps.length === 0) return []
  const elements = steps.map(({ name, label, page }) => action.named(name).button(label, valueFor(page)))
  // `calls.page.` becomes `calls.paging`.
  const rowName = action.id.replace(/page\.$/, 'paging')
  return [{ type: 'actions', block_id: `${rowName}|${nonce}`, elements }]
}
