export function BrandMark({ size = 24 }: { readonly size?: number }) {
  return <img src="/console/favicon.svg" width={size} height={size} alt="" />;
}
