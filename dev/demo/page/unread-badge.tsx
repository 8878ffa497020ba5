/** How much is unread; nothing where nothing is. */
export const UnreadBadge = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <span class="unread">
      {count}
      <span class="visually-hidden"> unread</span>
    </span>
  )
