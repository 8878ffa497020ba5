import { type Violation, violation } from './violations.ts'

/** A block or element as far as the rules across blocks care; nothing is known yet of its own fields. */
type Loose = Readonly<Record<string, unknown>>

/**
 * Rules that hold between blocks: block_ids unique in a message or view, action_ids unique in a block
 * (https://docs.slack.dev/reference/block-kit/blocks), at most one element that takes the focus.
 */
export function checkLayout(blocks: unknown): readonly Violation[] {
  const violations: Violation[] = []
  const blockIds = new Set<unknown>()
  let focused = 0
  for (const [at, block] of allBlocks(blocks)) {
    const { block_id: blockId } = block
    if (blockId !== undefined && blockIds.has(blockId)) {
      violations.push(violation([...at, 'block_id'], `duplicate block_id: ${String(blockId)}`))
    }
    blockIds.add(blockId)
    const actionIds = new Set<unknown>()
    for (const [path, element] of elementsOf(block)) {
      const { action_id: actionId } = element
      if (actionId !== undefined && actionIds.has(actionId)) {
        violations.push(violation([...at, ...path, 'action_id'], `duplicate action_id: ${String(actionId)}`))
      }
      actionIds.add(actionId)
      if (element.focus_on_load === true && ++focused > 1) {
        violations.push(violation([...at, ...path], 'only one element may have focus_on_load'))
      }
    }
  }
  return violations
}

/** How many blocks of a type there may be at most; each one beyond is a violation. */
export function checkCount(blocks: unknown, type: string, most: number, rule: string): readonly Violation[] {
  return allBlocks(blocks)
    .filter(([, block]) => block.type === type)
    .slice(most)
    .map(([at]) => violation(at, rule))
}

/** With where they are: those in containers too. */
export function allBlocks(blocks: unknown): (readonly [PropertyKey[], Loose])[] {
  const within = (list: unknown, at: PropertyKey[]) =>
    records(list).map(([index, block]): [PropertyKey[], Loose] => [[...at, index], block])
  return within(blocks, ['blocks']).flatMap((one) => [
    one,
    ...within(one[1].child_blocks, [...one[0], 'child_blocks']),
  ])
}

/** The interactive parts of a block: `elements`, `accessory`, or an input's `element`. */
export function elementsOf(block: Loose): (readonly [PropertyKey[], Loose])[] {
  if (block.type === 'actions') {
    return records(block.elements).map(([index, element]) => [['elements', index], element])
  }
  return (['accessory', 'element'] as const).flatMap((key) => {
    const element = block[key]
    return isRecord(element) ? [[[key], element] as const] : []
  })
}

export function records(list: unknown): (readonly [number, Loose])[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item: unknown, index) => (isRecord(item) ? [[index, item] as const] : []))
}

function isRecord(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
