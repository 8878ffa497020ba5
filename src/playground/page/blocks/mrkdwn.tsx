import type { Directory } from './blocks.tsx'
export function Mrkdwn({ text }: { readonly text: string; readonly directory: Directory }) {
  return <p>{text}</p>
}
