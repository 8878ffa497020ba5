import { z } from 'zod'
import { homeBlock, modalBlock } from './blocks.ts'
import { checkLayout, records } from './layout.ts'
import { chars, list, object, oneType } from './primitives.ts'
import { plainText } from './text.ts'
import { fromZod, type Violation, violation } from './violations.ts'

// https://docs.slack.dev/reference/views/modal-views and …/home-tab-views
// 1 to 100 blocks; title, submit, close of 24; private_metadata of 3000; callback_id of 255.
const common = { private_metadata: chars(3000, 0).optional(), callback_id: chars(255, 0).optional() }

const modal = object({
  type: z.literal('modal'),
  ...common,
  title: plainText(24),
  submit: plainText(24).optional(),
  close: plainText(24).optional(),
  blocks: list(modalBlock, 100),
})

const home = object({ type: z.literal('home'), ...common, blocks: list(homeBlock, 100) })

const view = oneType([modal, home])

/** Fields that several rules read, even if the rest is invalid. */
const shallow = z.object({ type: z.unknown(), blocks: z.unknown(), submit: z.unknown() }).partial().catch({})

export function checkView(payload: unknown): readonly Violation[] {
  const parsed = view.safeParse(payload)
  const { type, blocks, submit } = shallow.parse(payload)
  const needsSubmit = type === 'modal' && records(blocks).some(([, block]) => block.type === 'input')
  return [
    ...(parsed.success ? [] : fromZod(parsed.error)),
    ...checkLayout(blocks),
    ...(needsSubmit && submit === undefined
      ? [violation(['submit'], 'must have a submit with input blocks')]
      : []),
  ]
}
