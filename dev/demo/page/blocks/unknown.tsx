/** Loud on purpose: what can't be drawn here has not been looked at. */
export const Unknown = ({ what }: { readonly what: string }) => (
  <p class="bk-unknown" role="alert">
    This page can't draw {what}.
  </p>
)
