import type { types, ViewResponseAction } from '@slack/bolt'
import { messageModal } from '../deliver/modals.ts'
import type { SubmissionResult } from './routes.ts'

export const toUpdate = (view: types.ModalView): ViewResponseAction => ({ response_action: 'update', view })

export function toAcknowledgement({ errors, view }: SubmissionResult): ViewResponseAction | undefined {
  if (errors) return { response_action: 'errors', errors: { ...errors } }
  return view && toUpdate(view)
}

/** The waiting modal has no inputs that errors could be shown below. */
export async function toLateView(
  submitting: Promise<SubmissionResult>,
  title: string,
): Promise<types.ModalView> {
  const { errors, view, answer } = await submitting
  if (view) return view
  const done = answer ? 'Done. The answer is where you opened this.' : 'Done.'
  const text = errors ? Object.values(errors).join('\n') : done
  return messageModal(text, { title })
}
