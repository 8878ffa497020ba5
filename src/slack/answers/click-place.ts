import { z } from 'zod'

/** The `ClickPlace` of the message that a modal was opened from, in the modal's metadata: what it comes to is shown there. */
export const clickPlace = z.object({
  responseUrl: z.string().optional(),
  message: z.string(),
  actionTs: z.string(),
})

/** Below a field of a modal whose click is not answerable any more: Slack would not show what it comes to. */
export const outdatedText =
  'This form was opened about half an hour ago, so Slack no longer shows what comes of it. Close it and open it again.'
