import { WarnIcon } from './icons.tsx'

/** What Slack would tell the person went wrong. */
export const Problem = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="problem" role="alert">
      <WarnIcon /> {text}
    </p>
  )
