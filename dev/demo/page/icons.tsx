/** Draws icons, because many machines lack the glyphs. They are decoration next to words. */
const icon =
  (d: string, size = 16, width = 2) =>
  () => (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={width}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={d} />
    </svg>
  )

export const HashIcon = icon('M5 9h15M4 15h15M10 4 8 20M16 4l-2 16')
export const HomeIcon = icon('M4 11 12 4l8 7v9H4z')
export const BotIcon = icon('M5 9h14v10H5zM12 9V5M9 13v2M15 13v2')
export const EyeIcon = icon(
  'M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  14,
)
export const SendIcon = icon('M4 4l17 8-17 8 3-8zM7 12h14', 18)
export const CloseIcon = icon('M6 6l12 12M18 6 6 18', 18)
export const CodeIcon = icon('M8 7l-5 5 5 5M16 7l5 5-5 5')
export const DoneIcon = icon('M5 12.5l4.5 4.5L19 7.5')
export const WarnIcon = icon('M12 3 2 20h20zM12 10v4M12 17v.5')
export const InfoIcon = icon('M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 11v6M12 7v.5', 18)
export const MoreIcon = icon('M5 12h.01M12 12h.01M19 12h.01', 18, 4)

/** The app's mark. */
export const AppMark = () => (
  <svg viewBox="0 0 32 32" width="36" height="36" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#1f3a5f" />
    <path d="M9 10h14M9 16h14M9 22h8" stroke="#fff" stroke-width="3" stroke-linecap="round" />
  </svg>
)

export const SlackbotMark = () => (
  <span class="avatar slackbot-mark" aria-hidden="true">
    <BotIcon />
  </span>
)

/** Hues with enough contrast to white letters. */
const hues = [205, 265, 335, 20, 150]

export function Avatar({ name, index }: { readonly name: string; readonly index: number }) {
  const letters = name.split(' ').map((part) => part.slice(0, 1))
  return (
    <span
      class="avatar"
      style={{ background: `hsl(${hues[index % hues.length]} 45% 36%)` }}
      aria-hidden="true"
    >
      {letters.join('')}
    </span>
  )
}
