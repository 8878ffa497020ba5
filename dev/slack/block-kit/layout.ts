import { type Violation, violation } from './violations.ts'

/** A block or element whose own fields haven't been checked. */
type UncheckedBlock = Readonly<Record<string, unknown>>

/** https://docs.slack.dev/reference/block-kit/blocks: block_ids are unique in a surface, action_ids in a block. */
export function checkLayout(blocks: unknown): readonly Violation[] {
  const violations: Violation[] = []
  const blockIds = new Set<unknown>()
  for (const [index, block] of records(blocks)) {
    const { block_id: blockId } = block
    if (blockId !== undefined && blockIds.has(blockId))
      violations.push(violation(['blocks', index, 'block_id'], `duplicate block_id: ${String(blockId)}`))
    blockIds.add(blockId)
    const actionIds = new Set<unknown>()
    for (const [path, { action_id: actionId }] of listElements(block)) {
      const at = ['blocks', index, ...path, 'action_id']
      if (actionId !== undefined && actionIds.has(actionId))
        violations.push(violation(at, `duplicate action_id: ${String(actionId)}`))
      actionIds.add(actionId)
    }
  }
  return violations
}

/** Returns a violation for each block of a type beyond the limit. */
export function checkCount(blocks: unknown, type: string, max: number, rule: string): readonly Violation[] {
  return records(blocks)
    .filter(([, block]) => block.type === type)
    .slice(max)
    .map(([index]) => violation(['blocks', index], rule))
}

/** Returns the interactive parts of a block, with their paths: `elements`, `accessory`, or an input's `element`. */
export function listElements(block: UncheckedBlock): (readonly [PropertyKey[], UncheckedBlock])[] {
  if (block.type === 'actions')
    return records(block.elements).map(([index, element]) => [['elements', index], element])
  return (['accessory', 'element'] as const).flatMap((key) => {
    const element = block[key]
    return isRecord(element) ? [[[key], element] as const] : []
  })
}

export function records(list: unknown): (readonly [number, UncheckedBlock])[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item: unknown, index) => (isRecord(item) ? [[index, item] as const] : []))
}

const isRecord = (value: unknown): value is UncheckedBlock =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
