//! The growth exponent: least squares of the logarithm of cost over the logarithm of size.

/// Quantiles of Student's t for a two-sided interval of 95%, by degrees of freedom from 1.
const T95: [f64; 10] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
/// The same for more degrees of freedom: the value at 11, which is on the safe side.
const T95_MORE: f64 = 2.201;

/// A fitted power law `cost = c * size^exponent`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The exponent: 1 is linear, 2 quadratic.
    pub exponent: f64,
    /// The 95% interval of the exponent, from the residuals by Student's t; `None` below three points.
    pub interval: Option<[f64; 2]>,
}

/// Fits sizes and costs. Zero counts as one. `None` if there are not two different sizes.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "sizes and costs are far below 2^52")]
pub fn fit(points: impl IntoIterator<Item = (usize, u64)>) -> Option<Fit> {
    let logs: Vec<(f64, f64)> = points.into_iter().map(|(size, cost)| ((size.max(1) as f64).ln(), (cost.max(1) as f64).ln())).collect();
    let count = logs.len() as f64;
    let mean_x = logs.iter().map(|p| p.0).sum::<f64>() / count;
    let mean_y = logs.iter().map(|p| p.1).sum::<f64>() / count;
    let spread: f64 = logs.iter().map(|p| (p.0 - mean_x).powi(2)).sum();
    if logs.len() < 2 || spread < 1e-9 {
        return None;
    }
    let exponent = logs.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum::<f64>() / spread;
    let freedom = logs.len() - 2;
    let interval = (freedom > 0).then(|| {
        let residuals: f64 = logs.iter().map(|p| (p.1 - mean_y - exponent * (p.0 - mean_x)).powi(2)).sum();
        let error = (residuals / freedom as f64 / spread).sqrt();
        let half = T95.get(freedom - 1).copied().unwrap_or(T95_MORE) * error;
        [exponent - half, exponent + half]
    });
    Some(Fit { exponent, interval })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [usize; 5] = [10_000, 32_000, 100_000, 320_000, 1_000_000];

    #[test]
    fn a_power_law_gives_its_exponent_and_a_narrow_interval() {
        for (power, want) in [(1, 1.0), (2, 2.0), (3, 3.0)] {
            let fit = fit(SIZES.map(|n| (n, (n as u64).pow(power) / 7))).unwrap();
            let [low, high] = fit.interval.unwrap();
            assert!((fit.exponent - want).abs() < 1e-3 && high - low < 1e-2, "{fit:?}");
            assert!(low <= fit.exponent && fit.exponent <= high);
        }
    }

    #[test]
    fn noise_widens_the_interval_around_the_true_exponent() {
        let noisy = SIZES.into_iter().zip([90, 120, 95, 110, 100]).map(|(n, percent)| (n, n as u64 * percent));
        let fit = fit(noisy).unwrap();
        let [low, high] = fit.interval.unwrap();
        assert!(low < 1.0 && 1.0 < high && high - low > 0.05, "{fit:?}");
    }

    #[test]
    fn one_size_has_no_exponent_and_two_have_no_interval() {
        assert_eq!(fit([(10, 5)]), None);
        assert_eq!(fit([(10, 5), (10, 6)]), None);
        assert_eq!(fit([(10, 10), (100, 100)]).unwrap().interval, None);
    }
}
