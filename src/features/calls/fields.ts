import type { types } from '@slack/bolt'
import { z } from 'zod'
import { MAX_LINE_LENGTH } from '../../grammar/filters.ts'
import { LIMITS, plain } from '../../slack/blocks/blocks.ts'
import { lineMenuId, lineOption } from '../../slack/forms/fields.ts'
import { Field } from '../../slack/forms/form.ts'
import type { LineNames } from '../../telephony/lines.ts'

/** One of the account's own numbers, searched as the person types; empty for all lines. */
export const lineField = (initial: string | undefined, names: LineNames) =>
  new Field({
    label: 'Line',
    hint: "Incoming calls only; outgoing calls aren't tied to a line.",
    isOptional: true,
    schema: z.string().min(1).max(MAX_LINE_LENGTH).optional(),
    element: (): types.ExternalSelect => ({
      type: 'external_select',
      action_id: lineMenuId,
      min_query_length: 0,
      placeholder: plain('All lines', LIMITS.placeholder),
      ...(initial === undefined ? {} : { initial_option: lineOption(initial, names) }),
    }),
  })
